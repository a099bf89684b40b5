"""A match with its log: what a server keeps in memory of a match in play."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from durak_server.matches.apply import apply
from durak_server.matches.events import Record
from durak_server.matches.fold import Folded, fold
from durak_server.matches.redact import SeenRecord, Viewer, visible_record
from durak_server.matches.state import Dealt, Match

_BETWEEN_MILESTONES: Final = 64
"""Of so many records one match is kept, so that the past can be shown at once."""


class History:
    """The records of one match, the match that they fold to, and which request caused which.

    It grows with the log, so it is changed in place, by the match's own task alone; adding a
    record costs the same however many there are.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._match: Match | None = None
        self._records: list[Record] = []
        self._milestones: list[Match] = []
        self._dealt: list[Dealt | None] = []
        self._requests: dict[tuple[str, str], tuple[int, int]] = {}
        self.extend(records)

    @property
    def match(self) -> Match | None:
        """The match after the last record; None before the first."""
        return self._match

    @property
    def sequence(self) -> int:
        """The number of the last record; 0 if there is none."""
        return len(self._records)

    def extend(self, records: Iterable[Record]) -> None:
        """Take the records that follow the last one, in order."""
        self.take(fold(self._match, records))

    def take(self, steps: Iterable[Folded]) -> None:
        """Take what follows the last record and has been folded already."""
        for step in steps:
            self._match = step.match
            self._records.append(step.record)
            if len(self._records) % _BETWEEN_MILESTONES == 0:
                self._milestones.append(step.match)
            self._dealt.append(step.match.dealt)
            self._note_request(step.record)

    def records(self, after: int, last: int | None = None) -> Sequence[Record]:
        """Return the records above `after` up to `last`, or to the end."""
        return self._records[after:last]

    def sequence_at(self, moment: datetime) -> int:
        """Return the number of the last record of a moment or before; 0 if there is none."""
        return bisect_right(self._records, moment, key=lambda record: record.recorded_at)

    def dealt_at(self, sequence: int) -> Dealt | None:
        """Return the deal to which the event at `sequence` belongs; None before the first."""
        return self._dealt[sequence - 1]

    def match_at(self, sequence: int) -> Match | None:
        """Return the match as it was after the record `sequence`; None for 0.

        It costs the fold of fewer than `_BETWEEN_MILESTONES` records, however long the log is.
        """
        passed = sequence // _BETWEEN_MILESTONES
        match = self._milestones[passed - 1] if passed else None
        for record in self._records[passed * _BETWEEN_MILESTONES : sequence]:
            match = apply(match, record)
        return match

    def seen(self, after: int, viewer: Viewer, last: int | None = None) -> list[SeenRecord]:
        """Return the same records as the viewer may see them."""
        return [
            visible_record(record, viewer, self.dealt_at(record.sequence))
            for record in self.records(after, last)
        ]

    def answer_to(self, player_id: str, request_id: str) -> tuple[int, int] | None:
        """Return the first and the last sequence that a player's request caused, or None.

        None also for the empty id and for a request that caused nothing.
        """
        return self._requests.get((player_id, request_id))

    def _note_request(self, record: Record) -> None:
        if not record.request_id:
            return
        key = (record.player_id, record.request_id)
        first, _ = self._requests.get(key, (record.sequence, 0))
        self._requests[key] = (first, record.sequence)
