"""How a command gets into a match's log: decide, store, apply."""

import asyncio
from collections.abc import Sequence
from time import perf_counter
from typing import Final

from durak_server.matches import (
    CommitSeed,
    DealCards,
    Folded,
    History,
    HouseCommand,
    Match,
    MatchCommand,
    MatchReason,
    MatchRefusal,
    PlayerCommand,
    ServerCommand,
    committed_order,
    decide,
    fold,
    is_repeat,
    record_events,
    set_clocks,
    summary,
)
from durak_server.observe.logs import logger
from durak_server.runtime.command_metrics import count_accepted, count_refused
from durak_server.runtime.outcome import Outcome, outcome_again
from durak_server.runtime.surroundings import Surroundings
from durak_server.store import Conflict, OutcomeUnknown, StoreError, StoreUnavailable

_log = logger(__name__)
_MOST_ATTEMPTS: Final = 4


class LogLost(Exception):
    """What memory holds of the match may not be what the store holds: forget it."""


class Ledger:
    """A match's log in memory, always equal to the one in the store when a command ends."""

    def __init__(self, match_id: str, history: History, around: Surroundings) -> None:
        self.match_id = match_id
        self.history = history
        self.current = asyncio.Event()
        """Not set while it is doubtful whether memory holds what the store holds."""
        self.current.set()
        self._around = around

    async def carry_out(self, command: MatchCommand) -> Outcome | MatchRefusal:
        """Do what is asked, once, or return why not; a repeat gets the first outcome.

        Raises:
            StoreBusy, StoreUnavailable: nothing was stored, the match is as before.
            LogLost: something may have been stored and cannot be read now.
        """
        for _ in range(_MOST_ATTEMPTS):
            if isinstance(command, PlayerCommand):
                known = self.history.answer_to(*_origin(command))
                if known:
                    return self._answer_again(command, *known)
            begun = perf_counter()
            decided = self._decide(command)
            self._around.metrics.path.decide_seconds.observe(perf_counter() - begun)
            if isinstance(decided, MatchRefusal):
                count_refused(self._around.metrics.play, command, decided)
                return decided
            if not decided or await self._store(decided):
                return self._outcome(command, decided)
        raise StoreUnavailable("others write the same log faster than this server")

    def _answer_again(
        self, command: PlayerCommand, first: int, last: int
    ) -> Outcome | MatchRefusal:
        """Return the outcome of the request that caused these events, if it was the same call."""
        (record,) = self.history.records(first - 1, first)
        if is_repeat(command, record.event):
            return outcome_again(self.history, first, last)
        facts = (("request_id", "was used for another call"),)
        refusal = MatchRefusal(MatchReason.INVALID_FIELD, facts)
        count_refused(self._around.metrics.play, command, refusal)
        return refusal

    def _decide(self, command: MatchCommand) -> Sequence[Folded] | MatchRefusal:
        """Return what is to be stored, what the server has to do itself included."""
        match = self.history.match
        events = decide(match, command)
        if isinstance(events, MatchRefusal):
            return events
        # The system's clock may have been put back meanwhile; the log's never is.
        now = self._around.time.now()
        at = max(now, match.updated_at) if match else now
        by = _origin(command)
        steps = list(fold(match, record_events(self.history.sequence, events, at, *by)))
        while steps and (own := self._own_command(steps[-1].match)):
            last = steps[-1].match
            events = decide(last, own)
            assert not isinstance(events, MatchRefusal), "a match takes what it awaits"
            steps += fold(last, record_events(last.sequence, events, at, *by))
        if steps:
            last = steps[-1].match
            clocks = set_clocks(last, [step.record.event for step in steps], at)
            steps += fold(last, record_events(last.sequence, clocks, at, *by))
        return steps

    def _outcome(self, command: MatchCommand, steps: Sequence[Folded]) -> Outcome:
        match = steps[-1].match if steps else self.history.match
        assert match, "a command is accepted by a match, or makes one"
        events = [step.record.event for step in steps]
        count_accepted(self._around.metrics.play, command, events, match)
        return Outcome(self.history, match.sequence - len(steps) + 1, match.sequence, match)

    def _own_command(self, match: Match) -> ServerCommand | None:
        """Return what the match awaits of the server itself, None for nothing."""
        if match.awaits_deal:
            order = committed_order(match) or self._around.shuffle(match.rules.deck)
            return DealCards(order)
        return CommitSeed(self._around.seed()) if match.awaits_commitment else None

    async def _store(self, steps: Sequence[Folded]) -> bool:
        """Store the records and take them in; False if the log had moved on: decide anew."""
        records, match = [step.record for step in steps], steps[-1].match
        path = self._around.metrics.path
        before = self.history.sequence
        begun = perf_counter()
        try:
            with self._around.steps.step("append"):
                await self._around.store.append(self.match_id, before, records, summary(match))
        except Conflict as conflict:
            path.conflicts.inc()
            await self._read_again(at_least=before, head=conflict.head)
            return False
        except OutcomeUnknown:
            path.unknown_outcomes.inc()
            await self._read_again(at_least=before)
            if list(self.history.records(before, before + len(records))) == records:
                return True
            raise StoreUnavailable("the records were not stored") from None
        except StoreError as error:
            self._around.metrics.store.failures.labels(type(error).__name__).inc()
            raise
        path.store_seconds.observe(perf_counter() - begun)
        path.append_events.observe(len(records))
        self.history.take(steps)
        return True

    async def _read_again(self, *, at_least: int, head: int | None = None) -> None:
        """Replace what memory holds by what the store holds."""
        _log.warning("reading a match again", match=self.match_id, head=head)
        self.current.clear()
        try:
            history = History(await self._around.store.read(self.match_id))
        except Exception as error:
            raise LogLost(self.match_id) from error
        finally:
            self.current.set()
        if history.sequence < at_least:
            self._around.metrics.path.logs_cut.inc()
            _log.error(
                "the stored log is shorter than what was acknowledged",
                match=self.match_id,
                stored=history.sequence,
                acknowledged=at_least,
            )
            raise LogLost(self.match_id)
        self.history = history


def _origin(command: MatchCommand) -> tuple[str, str]:
    """Return whose command it is and which request of his; nobody's if it is the house's own."""
    if isinstance(command, HouseCommand):
        return "", ""
    return command.player_id, command.request_id
