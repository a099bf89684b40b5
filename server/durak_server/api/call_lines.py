"""Which log line a call, or a command on a stream, is worth.

Refusals beyond so many a second are left out and counted: nobody fills a disk with them.
"""

import logging
from typing import Final

from grpc import StatusCode

from durak_server.observe.logs import logger
from durak_server.observe.sampling import LineSampler

_log = logger(__name__)
_enabled = logging.getLogger(__name__).isEnabledFor
_LEVELS: Final = {
    StatusCode.OK: logging.DEBUG,
    StatusCode.CANCELLED: logging.DEBUG,
    # A move that came too late is a part of the game.
    StatusCode.FAILED_PRECONDITION: logging.DEBUG,
    StatusCode.ABORTED: logging.DEBUG,
    StatusCode.INTERNAL: logging.ERROR,
    StatusCode.UNKNOWN: logging.ERROR,
    StatusCode.DATA_LOSS: logging.ERROR,
    StatusCode.UNAVAILABLE: logging.WARNING,
    StatusCode.RESOURCE_EXHAUSTED: logging.WARNING,
}


class CallLines:
    """Writes the lines.

    Args:
        sampler: chooses among those that callers can cause as often as they like.
    """

    def __init__(self, sampler: LineSampler) -> None:
        self._sampler = sampler

    def write(self, what: str, code: StatusCode, seconds: float, **facts: object) -> None:
        """Write how something ended and how long it took, if that is worth a line."""
        level = _LEVELS.get(code, logging.INFO)
        # Asked first: most calls are not worth a line, and a line not written costs as much.
        if not _enabled(level):
            return
        if logging.DEBUG < level < logging.ERROR:
            left_out = self._sampler.admit(code.name)
            if left_out is None:
                return
            if left_out:
                facts["left_out"] = left_out
        _log.log(level, what, code=code.name, duration_ms=round(seconds * 1000, 3), **facts)
