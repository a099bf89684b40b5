"""How a record changes a match; nothing is judged, for what is recorded has happened."""

from dataclasses import replace
from datetime import datetime

from durak_server import rules
from durak_server.matches.changed import changed
from durak_server.matches.clocks import apply_clock_event, full_banks
from durak_server.matches.entry import apply_entry_event
from durak_server.matches.events import (
    ClockEvent,
    DealCommitted,
    EntryEvent,
    FairnessEvent,
    LeaveReason,
    LobbyEvent,
    MatchAbandoned,
    MatchCreated,
    MatchEvent,
    MatchFinished,
    MatchStarted,
    OwnerChanged,
    PlayerJoined,
    PlayerLeft,
    PresenceChanged,
    Record,
    RematchEvent,
    Said,
    SeedAdded,
    SeedRevealed,
    TimeRanOut,
)
from durak_server.matches.player import Player, PlayerKind
from durak_server.matches.rematch import apply_rematch_event
from durak_server.matches.shuffle import Shuffle
from durak_server.matches.state import Dealt, Match, MatchStatus


class BrokenLog(Exception):
    """The record is not one that can follow: a gap, or no match to begin with."""


def apply(match: Match | None, record: Record) -> Match:
    """Return the match after a record; `match` is None before the first.

    Raises:
        BrokenLog: the record cannot follow.
    """
    if record.sequence != (match.sequence if match else 0) + 1:
        raise BrokenLog(f"record {record.sequence} does not follow")
    if match is None:
        if not isinstance(record.event, MatchCreated):
            raise BrokenLog("the first record makes no match")
        return _created(record.event, record)
    after = _after(match, record.event, record.recorded_at)
    at = record.recorded_at
    is_act = _is_by_human(match, record.player_id)
    ran_out = isinstance(record.event, TimeRanOut)
    is_deal_over = isinstance(record.event, rules.DealEnded)
    was_attended = is_deal_over and not match.deals_in_a_row
    ended_at = match.ended_at or (at if after.status.is_over else None)
    return changed(
        after,
        sequence=record.sequence,
        last_deed=match.last_deed if isinstance(record.event, Said) else record.sequence,
        updated_at=at,
        acted_at=at if is_act else match.acted_at,
        timeouts_in_a_row=0 if is_act or was_attended else match.timeouts_in_a_row + ran_out,
        deals_in_a_row=0 if is_act else match.deals_in_a_row + is_deal_over,
        ended_at=ended_at,
    )


def _is_by_human(match: Match, player_id: str) -> bool:
    """Tell whether a human who sits at the match, or is about to, caused a record."""
    seat = match.seat_of(player_id)
    player = None if seat is None else match.seats[seat]
    if player is None:
        return bool(player_id)
    return player.kind is PlayerKind.HUMAN and not player.has_left


def _after(match: Match, event: MatchEvent, at: datetime) -> Match:
    if isinstance(event, LobbyEvent):
        return _after_lobby_event(match, event)
    if isinstance(event, EntryEvent):
        return apply_entry_event(match, event, at)
    if isinstance(event, RematchEvent):
        return apply_rematch_event(match, event)
    if isinstance(event, Said):
        return match
    if isinstance(event, FairnessEvent):
        return _after_fairness_event(match, event)
    if isinstance(event, ClockEvent):
        return apply_clock_event(match, event, at)
    match event:
        case rules.DealStarted():
            return _after_deal_started(match, event)
        case rules.DealEnded():
            return _after_deal_ended(match, event)
        case _:
            return changed(match, position=rules.apply(match.position, event, match.rules))


def _created(event: MatchCreated, record: Record) -> Match:
    lifetime = event.admission.invite_lifetime
    return Match(
        match_id=event.match_id,
        preset=event.preset,
        rules=event.rules,
        owner_id=event.owner_id,
        visibility=event.visibility,
        spectators=event.spectators,
        spectator_delay=event.spectator_delay,
        invite_code=event.invite_code,
        start_when_full=event.start_when_full,
        status=MatchStatus.OPEN,
        seats=(None,) * event.rules.seats,
        sequence=record.sequence,
        last_deed=record.sequence,
        created_at=record.recorded_at,
        updated_at=record.recorded_at,
        acted_at=record.recorded_at,
        times_fool=(0,) * event.rules.seats,
        previous_match_id=event.previous_match_id,
        first_dealer=event.first_dealer,
        first_leader=event.first_leader,
        admission=event.admission,
        invite_expires_at=record.recorded_at + lifetime if lifetime else None,
    )


def _after_lobby_event(match: Match, event: LobbyEvent) -> Match:
    match event:
        case MatchCreated():
            raise BrokenLog("the match is made already")
        case PlayerJoined():
            return match.with_newcomer(event.seat, event.player)
        case PlayerLeft():
            return _after_player_left(match, event)
        case PresenceChanged():
            return _after_presence_changed(match, event)
        case OwnerChanged():
            return changed(match, owner_id=event.owner_id)
        case MatchStarted():
            return changed(match, status=MatchStatus.PLAYING)
        case MatchFinished():
            return changed(match, status=MatchStatus.FINISHED, clocks=())
        case MatchAbandoned():
            return changed(match, status=MatchStatus.ABANDONED, clocks=())


def _after_player_left(match: Match, event: PlayerLeft) -> Match:
    left = match.without_player(event.seat)
    if event.reason is LeaveReason.REMOVED and _is_human(match.seats[event.seat]):
        left = left.without_way_back_for(event.player_id)
    if match.next_shuffle is None or match.status is not MatchStatus.OPEN:
        return left
    return changed(left, next_shuffle=match.next_shuffle.without_seat(event.seat))


def _is_human(player: Player | None) -> bool:
    return player is not None and player.kind is PlayerKind.HUMAN


def _after_presence_changed(match: Match, event: PresenceChanged) -> Match:
    player = match.seats[event.seat]
    if player is None:
        raise BrokenLog("nobody sits where presence is told of")
    return match.with_player(event.seat, replace(player, presence=event.presence))


def _after_fairness_event(match: Match, event: FairnessEvent) -> Match:
    match event:
        case DealCommitted(number, _, server_seed):
            return changed(match, next_shuffle=Shuffle(number, server_seed))
        case SeedAdded(_, seat, seed):
            if match.next_shuffle is None:
                raise BrokenLog("a seed is added to no shuffle")
            return changed(match, next_shuffle=match.next_shuffle.with_seed(seat, seed))
        case SeedRevealed():
            return changed(match, shuffle=None)


def _after_deal_started(match: Match, event: rules.DealStarted) -> Match:
    position = rules.apply(None, event, match.rules)
    number = match.deal if match.is_dealt_anew else match.deal + 1
    dealt = Dealt(number, event.dealer, event.leader, position)
    return changed(
        match,
        dealt=dealt,
        position=position,
        shuffles=match.shuffles + 1,
        shuffle=match.next_shuffle,
        next_shuffle=None,
        clocks=(),
        banks=full_banks(match),
    )


def _after_deal_ended(match: Match, event: rules.DealEnded) -> Match:
    ended = changed(match, position=rules.apply(match.position, event, match.rules))
    if not match.counts(event):
        return ended
    return changed(
        ended,
        times_fool=match.times_fool_after(event),
        deals_played=match.deals_played + 1,
        last_result=event,
    )
