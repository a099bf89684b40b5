"""Time that stands still until a test moves it."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from durak_server.runtime import Timekeeper

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class FakeAlarm:
    """A call that comes when the time does."""

    def __init__(self, moment: datetime, ring: Callable[[], None]) -> None:
        self.moment = moment
        self.ring = ring
        self.is_due = True

    def cancel(self) -> None:
        """Ring no more, and hold nothing of who would have heard it."""
        self.is_due = False
        self.ring = _unheard


def _unheard() -> None: ...


class FakeTime:
    """Noon, and whatever a test adds to it."""

    def __init__(self) -> None:
        self.now = NOON
        self._alarms: list[FakeAlarm] = []
        self.keeper = Timekeeper(lambda: self.now, self._seconds, self._alarm_at)

    def advance(self, seconds: float) -> int:
        """Move on and ring every alarm that is due, in order; return how many rang."""
        self.now += timedelta(seconds=seconds)
        rung = 0
        while due := [alarm for alarm in self._alarms if alarm.is_due and alarm.moment <= self.now]:
            self._ring(min(due, key=lambda alarm: alarm.moment))
            rung += 1
        return rung

    def is_awaited_in(self, seconds: float) -> bool:
        """Return whether somebody wants to be called when exactly so many more have passed."""
        moment = self.now + timedelta(seconds=seconds)
        return any(alarm.is_due and alarm.moment == moment for alarm in self._alarms)

    def _seconds(self) -> float:
        return (self.now - NOON).total_seconds()

    def _alarm_at(self, moment: datetime, ring: Callable[[], None]) -> FakeAlarm:
        alarm = FakeAlarm(moment, ring)
        self._alarms.append(alarm)
        if moment <= self.now:
            asyncio.get_running_loop().call_soon(self._ring, alarm)
        return alarm

    def _ring(self, alarm: FakeAlarm) -> None:
        if alarm.is_due:
            alarm.is_due = False
            self._alarms.remove(alarm)
            alarm.ring()
