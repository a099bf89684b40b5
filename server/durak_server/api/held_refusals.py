"""Who calls faster than he may waits for the refusal: a caller in a loop slows himself down."""

from collections import Counter
from datetime import timedelta

from durak_server.api.failures import CallFailed
from durak_server.api.rate_limit import RateLimited
from durak_server.runtime import Timekeeper


class HeldRefusals:
    """Holds refusals back, each for as long as its caller has to wait for his turn anyway.

    To refuse costs as much as to answer, so a flood of calls that are refused at once would be as
    bad as one of calls that are answered. A refusal that is held costs a timer.

    Args:
        longest: for which one is held at most; 0 holds none.
        time: the time by which they are held.
    """

    def __init__(self, longest: timedelta, time: Timekeeper) -> None:
        self._longest = longest
        self._time = time
        self._held: Counter[str] = Counter()

    async def hold(self, failure: CallFailed) -> None:
        """Return when the caller may be told of a failure: at once, unless he calls too fast.

        All of his that are held stand in line: more calls at a time bring him no more of them.
        """
        if not isinstance(failure, RateLimited) or not self._longest:
            return
        self._held[failure.key] += 1
        turn = timedelta(seconds=failure.wait_seconds) * self._held[failure.key]
        try:
            await self._time.pass_by(min(self._longest, turn))
        finally:
            self._held[failure.key] -= 1
            if not self._held[failure.key]:
                del self._held[failure.key]
