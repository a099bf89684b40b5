"""Bytes that find new ways: python -m tests.fuzz.guided -max_total_time=600 FOLDER.

Atheris keeps in the folder what reaches a line that nothing before had reached, and changes that
further; it begins with sound requests of each method. What it finds lies in the working directory
as `crash-...`; given instead of the folder it is sent again.
"""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["durak_server"]):
    from tests.api.operators import OPERATED, operating
    from tests.fuzz.raw import RawCaller, raw_callers
    from tests.live_server import connected, running_server

_SETTINGS = OPERATED | {
    "log_level": "error",
    "heartbeat_seconds": 0.01,
    "calls_per_second": 1e6,
    "address_calls_per_second": 1e6,
}
_OF_EACH = 20
"""Sound requests of each method, to begin with."""


class Guided:
    """A server that takes whatever bytes it is given, the first of them telling the method."""

    def __init__(self) -> None:
        self._loop = asyncio.Runner()
        self._open = AsyncExitStack()
        self._ways = [
            (caller, method)
            for caller in self._loop.run(self._serve())
            for method in caller.methods
        ]

    async def _serve(self) -> Sequence[RawCaller]:
        server = await self._open.enter_async_context(running_server(**_SETTINGS))
        calls = await self._open.enter_async_context(connected(server))
        operator = await self._open.enter_async_context(operating(server))
        one, _, operators = await raw_callers(calls, operator, Random(0))
        return [one, operators]

    def take(self, data: bytes) -> None:
        """Send bytes; an answer that should not be ends the process."""
        caller, method = self._ways[data[0] % len(self._ways)] if data else self._ways[0]
        self._loop.run(caller.send(method, data[1:]))

    def begin(self, folder: Path) -> None:
        """Put sound requests into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for way, (caller, method) in enumerate(self._ways):
            for number in range(_OF_EACH):
                data = caller.inventor.make(method.request).SerializeToString()
                (folder / f"sound-{way}-{number}").write_bytes(bytes([way]) + data)


def main() -> None:
    """Run until libFuzzer's own options say that it is enough."""
    guided = Guided()
    if sys.argv[1:] and not sys.argv[-1].startswith("-") and not Path(sys.argv[-1]).is_file():
        guided.begin(Path(sys.argv[-1]))
    atheris.Setup(sys.argv, guided.take)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
