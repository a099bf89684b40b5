"""What one caller who follows a match is told, step by step."""

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import Final

from durak_server.api.callers import Caller
from durak_server.api.failures import invalid_field, refused
from durak_server.api.requests import checked_player_id
from durak_server.api.wire_events import wire_events
from durak_server.api.wire_matches import wire_info
from durak_server.api.wire_views import wire_view
from durak_server.matches import (
    Match,
    MatchStatus,
    MatchView,
    SeenRecord,
    SeenSaid,
    refuse_watching,
    summary,
)
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.runtime import Outlook, Watcher

_MOST_MUTED: Final = 64


class Updates:
    """Makes updates of what a watcher finds, as its caller may see it.

    He does not hear what the players in `muted` say. With `rematch` the last is not final until
    there is one, or so long after the match's end.
    """

    def __init__(
        self,
        caller: Caller,
        watcher: Watcher,
        view_mode: pb.ViewMode.ValueType,
        muted: Collection[str] = (),
        rematch: timedelta | None = None,
    ) -> None:
        self.watcher = watcher
        self._caller = caller
        self._live = watcher.live
        self._view_mode = view_mode
        self._muted = muted
        self._rematch = rematch
        self._is_first = True

    def next(self) -> pb.Update:
        """Return what is new, perhaps nothing; the first time also the match as it stands.

        Raises:
            RuntimeRefusal: the watch was ended.
            CallFailed: the caller may not follow any more.
        """
        after, last = self.watcher.advance()
        # Seats change while a match is open, and with them what the caller may see.
        refuse_stranger(self._live.match, self._caller)
        seat = self._live.match.active_seat_of(self._caller.player_id)
        outlook = self.watcher.outlook
        match = outlook.match
        update = pb.Update(
            match_id=match.match_id,
            sequence=last,
            events=wire_events(map(self._heard, self._live.history.seen(after, seat, last))),
            is_final=last == match.sequence and self._is_over(outlook),
        )
        if self._view_mode != pb.VIEW_MODE_NEVER:
            view = self._live.seen(outlook, seat)
            if self._wants(view, update):
                update.view.CopyFrom(wire_view(view))
        if self._is_first:
            update.info.CopyFrom(wire_info(summary(match), self._caller.player_id))
            self._is_first = False
        return update

    def _heard(self, record: SeenRecord) -> SeenRecord:
        if isinstance(record.event, SeenSaid) and record.event.player_id in self._muted:
            return replace(record, event=replace(record.event, speech=None))
        return record

    def _is_over(self, outlook: Outlook) -> bool:
        """Tell whether nothing follows any more for which the caller would wait."""
        match = outlook.match
        if match.ended_at is None:
            return False
        is_rematch_open = match.status is MatchStatus.FINISHED and not match.next_match_id
        if self._rematch is None or not is_rematch_open:
            return True
        return outlook.until >= match.ended_at + self._rematch

    def _wants(self, view: MatchView, update: pb.Update) -> bool:
        if self._is_first:
            return True
        if self._view_mode == pb.VIEW_MODE_ALWAYS:
            return bool(update.events)
        is_asked = bool(update.events) and bool(view.table and view.table.legal_moves)
        return is_asked or update.is_final


def checked_view_mode(number: pb.ViewMode.ValueType) -> pb.ViewMode.ValueType:
    """Return when updates carry a view; ALWAYS if it is not said.

    Raises:
        CallFailed: the number is unknown.
    """
    if number not in pb.ViewMode.values():
        raise invalid_field("view_mode", f"{number} is unknown")
    return number or pb.VIEW_MODE_ALWAYS


def checked_muted(player_ids: Collection[str]) -> frozenset[str]:
    """Return the players whom a caller does not want to hear.

    Raises:
        CallFailed: they are too many, or nobody can have such an id.
    """
    if len(player_ids) > _MOST_MUTED:
        raise invalid_field("muted_player_ids", f"must be at most {_MOST_MUTED}")
    return frozenset(checked_player_id(one, "muted_player_ids") for one in player_ids)


def refuse_stranger(match: Match, caller: Caller) -> None:
    """Do nothing if the caller may follow the match.

    Raises:
        CallFailed: he may not.
    """
    refusal = refuse_watching(match, caller.player_id)
    if refusal:
        raise refused(refusal)
