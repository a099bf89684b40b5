"""Logs to store: matches that stand in one state or another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from durak_server.matches import (
    AddBot,
    CreateMatch,
    History,
    JoinMatch,
    LeaveMatch,
    MatchStatus,
    MatchSummary,
    Record,
    StartMatch,
    Visibility,
    summary,
)
from durak_server.rules import Preset, RuleSet
from durak_server.store import EventStore
from tests.matches.tabletop import NOON, Tabletop

TWO = RuleSet(seats=2)


@dataclass(frozen=True)
class Log:
    """The records of a match, and the match after each."""

    records: tuple[Record, ...]
    summaries: tuple[MatchSummary, ...]

    @property
    def match_id(self) -> str:
        return self.summary.match_id

    @property
    def summary(self) -> MatchSummary:
        """The match after its last record."""
        return self.summaries[-1]

    async def keep(self, store: EventStore, after: int = 0, last: int | None = None) -> None:
        """Append the records above `after` up to `last` in one call."""
        last = len(self.records) if last is None else last
        records = self.records[after:last]
        await store.append(self.match_id, after, records, self.summaries[last - 1])

    async def keep_by_steps(self, store: EventStore, after: int = 0, step: int = 3) -> None:
        """Append the records above `after` a few at a time, as a running match does."""
        for first in range(after, len(self.records), step):
            await self.keep(store, first, min(first + step, len(self.records)))


def log_of(table: Tabletop) -> Log:
    records = tuple(table.history.records(0))
    history = History()
    summaries = []
    for record in records:
        history.extend((record,))
        assert history.match
        summaries.append(summary(history.match))
    return Log(records, tuple(summaries))


def log(
    match_id: str,
    *,
    made: int = 0,
    players: Sequence[str] = ("ann", "bob"),
    status: MatchStatus = MatchStatus.OPEN,
    preset: Preset = Preset.PODKIDNOY,
    rules: RuleSet = TWO,
    visibility: Visibility = Visibility.PUBLIC,
    invite_code: str = "",
    idle_seconds: float = 0,
) -> Log:
    """Return the log of a match made so many seconds after noon, brought to a status.

    The first player makes it; those called "bot..." are bots. At the end the clock, if it has
    one, runs for so many seconds.
    """
    table = Tabletop(seed=made, now=NOON + timedelta(seconds=made))
    owner, *others = players
    code = invite_code or match_id
    table.do(CreateMatch(owner, "", owner, match_id, code, preset, rules, visibility))
    for player in others:
        is_bot = player.startswith("bot")
        table.do(
            AddBot(owner, "", player, player)
            if is_bot
            else JoinMatch(player, "", player, None, code)
        )
    if status is MatchStatus.ABANDONED:
        for player in (*others, owner):
            if not player.startswith("bot"):
                table.do(LeaveMatch(player, ""))
    elif status is not MatchStatus.OPEN:
        table.do(StartMatch(owner, ""))
    if status is MatchStatus.FINISHED:
        for _ in table.moves_until_over():
            pass
    if idle_seconds:
        table.end_turns(idle_seconds)
    assert table.match.status is status
    return log_of(table)
