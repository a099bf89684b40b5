"""Where the time comes from, and who is called when it has come."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final, Protocol


class Alarm(Protocol):
    """A call that is to come."""

    def cancel(self) -> None:
        """Let it not come; nothing happens if it has."""


def utc_now() -> datetime:
    """Return the time, aware and in UTC."""
    return datetime.now(UTC)


def alarm_at(moment: datetime, ring: Callable[[], None]) -> Alarm:
    """Have the event loop call `ring` at a moment, at once if it is past."""
    seconds = (moment - utc_now()).total_seconds()
    return asyncio.get_running_loop().call_later(max(0.0, seconds), ring)


@dataclass(frozen=True, slots=True)
class Timekeeper:
    """The time of one server. Tests have one that stands still until they move it."""

    now: Callable[[], datetime] = utc_now
    clock: Callable[[], float] = monotonic
    """Seconds that only go forward, for what has no date."""
    alarm_at: Callable[[datetime, Callable[[], None]], Alarm] = alarm_at

    async def pass_by(self, span: timedelta) -> None:
        """Return once so much time has passed."""
        has_passed = asyncio.Event()
        alarm = self.alarm_at(self.now() + span, has_passed.set)
        try:
            await has_passed.wait()
        finally:
            alarm.cancel()


SYSTEM_TIME: Final = Timekeeper()


class Reminder:
    """One alarm that can be moved, and that calls the same function every time."""

    def __init__(self, time: Timekeeper, ring: Callable[[], None]) -> None:
        self._time = time
        self._ring = ring
        self._moment: datetime | None = None
        self._alarm: Alarm | None = None

    def set(self, moment: datetime | None) -> None:
        """Ring at this moment and no other; None: not at all."""
        if moment == self._moment:
            return
        if self._alarm:
            self._alarm.cancel()
        self._moment = moment
        self._alarm = self._time.alarm_at(moment, self._rung) if moment else None

    def _rung(self) -> None:
        self._moment = self._alarm = None
        self._ring()
