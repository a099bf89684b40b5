"""The audit log: which operator did what, and when."""

import asyncio
import json
import os
from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from durak_server.observe.logs import AUDIT, logger

_log = logger(AUDIT)


class Act(StrEnum):
    """What is written down, in the words of the line."""

    LOOK_AT_HANDS = "look at hidden cards"
    TERMINATE_MATCH = "terminate a match"
    BAN = "ban"
    LIFT_BAN = "lift a ban"
    DRAIN = "drain"
    SET_LIMITS = "set limits"


class AuditLog:
    """Lines of JSON, appended to a file and never changed; without a file they go to the log only.

    The file is opened anew for each line: whoever keeps it elsewhere may move it away.
    """

    def __init__(self, file: Path | None, now: Callable[[], datetime]) -> None:
        self._file = file
        self._now = now

    async def note(self, operator: str, act: Act, **facts: str) -> None:
        """Write that somebody is about to do something; it is on the disk once this returns.

        Raises:
            OSError: it cannot be written.
        """
        line = {"at": self._now().isoformat(), "operator": operator, "act": act, **facts}
        if self._file:
            text = json.dumps(line, ensure_ascii=False) + "\n"
            await asyncio.to_thread(_append, self._file, text.encode())
        _log.info("audit", operator=operator, act=act, **facts)


def _append(file: Path, line: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, line)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
