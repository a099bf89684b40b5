"""Viewers' copies of events for answers."""

from collections.abc import Iterable
from typing import assert_never

from durak_server import matches, rules
from durak_server.api.wire_cards import SUITS, wire_card, wire_cards
from durak_server.api.wire_clocks import set_clock_kind
from durak_server.api.wire_entry import set_entry_kind
from durak_server.api.wire_enums import (
    ABANDON_REASONS,
    BOUT_OUTCOMES,
    LEAVE_REASONS,
    PRESENCES,
    PRESETS,
    SPECTATORS,
    VISIBILITIES,
)
from durak_server.api.wire_matches import wire_seat
from durak_server.api.wire_rules import wire_rules
from durak_server.api.wire_speech import wire_speech
from durak_server.api.wire_times import wire_time
from durak_server.api.wire_views import wire_result
from durak_server.matches import SeenEvent, SeenRecord
from durak_server.pb.durak.v1 import event_pb2 as pb


def wire_events(records: Iterable[SeenRecord]) -> list[pb.Event]:
    """Return the copies of events, in order."""
    return [_event(record) for record in records]


def _event(record: SeenRecord) -> pb.Event:
    event = pb.Event(sequence=record.sequence, recorded_at=wire_time(record.recorded_at))
    _set_kind(event, record.event)
    return event


def _set_kind(event: pb.Event, seen: SeenEvent) -> None:
    match seen:
        case (
            matches.SeenMatchCreated()
            | matches.PlayerJoined()
            | matches.PlayerLeft()
            | matches.PresenceChanged()
            | matches.OwnerChanged()
            | matches.MatchStarted()
            | matches.MatchFinished()
            | matches.MatchAbandoned()
        ):
            _set_lobby_kind(event, seen)
        case (
            rules.Led()
            | rules.ThrownIn()
            | rules.Passed()
            | rules.Retracted()
            | rules.Dumped()
            | rules.RedealClaimed()
        ):
            _set_attack_kind(event, seen)
        case matches.SeenInviteRenewed() | matches.SeatsReleased() | matches.ReadyChanged():
            set_entry_kind(event, seen)
        case matches.RematchOffered(seat):
            event.rematch_offered.CopyFrom(pb.RematchOffered(seat=seat))
        case matches.RematchMade(match_id):
            event.rematch_made.match_id = match_id
        case matches.SeenSaid(seat, player_id, speech):
            said = pb.Said(seat=seat, player_id=player_id, speech=wire_speech(speech))
            event.said.CopyFrom(said)
        case matches.SeenDealCommitted() | matches.SeedAdded() | matches.SeedRevealed():
            _set_fairness_kind(event, seen)
        case rules.Beaten() | rules.Transferred() | rules.Shown() | rules.TakeDeclared():
            _set_defence_kind(event, seen)
        case matches.ClocksSet() | matches.TimeRanOut() | matches.ClockCredited():
            set_clock_kind(event, seen)
        case _:
            _set_deal_kind(event, seen)


def _set_lobby_kind(
    event: pb.Event,
    seen: matches.SeenMatchCreated
    | matches.PlayerJoined
    | matches.PlayerLeft
    | matches.PresenceChanged
    | matches.OwnerChanged
    | matches.MatchStarted
    | matches.MatchFinished
    | matches.MatchAbandoned,
) -> None:
    match seen:
        case matches.SeenMatchCreated():
            event.match_created.CopyFrom(_created(seen))
        case matches.PlayerJoined(seat, player):
            event.player_joined.seat.CopyFrom(wire_seat(seat, player))
        case matches.PlayerLeft(seat, player_id, reason):
            event.player_left.CopyFrom(
                pb.PlayerLeft(seat=seat, player_id=player_id, reason=LEAVE_REASONS[reason])
            )
        case matches.PresenceChanged(seat, presence):
            event.presence_changed.seat = seat
            event.presence_changed.presence = PRESENCES[presence]
        case matches.OwnerChanged(owner_id):
            event.owner_changed.owner_id = owner_id
        case matches.MatchStarted():
            event.match_started.SetInParent()
        case matches.MatchFinished(times_fool):
            event.match_finished.CopyFrom(pb.MatchFinished(times_fool=times_fool))
        case matches.MatchAbandoned(reason, text):
            event.match_abandoned.reason = ABANDON_REASONS[reason]
            event.match_abandoned.text = text
        case _:
            assert_never(seen)


def _created(seen: matches.SeenMatchCreated) -> pb.MatchCreated:
    return pb.MatchCreated(
        preset=PRESETS[seen.preset],
        rules=wire_rules(seen.rules),
        owner_id=seen.owner_id,
        visibility=VISIBILITIES[seen.visibility],
        spectators=SPECTATORS[seen.spectators],
        previous_match_id=seen.previous_match_id,
        spectator_delay_seconds=int(seen.spectator_delay.total_seconds()),
    )


def _set_fairness_kind(
    event: pb.Event, seen: matches.SeenDealCommitted | matches.SeedAdded | matches.SeedRevealed
) -> None:
    match seen:
        case matches.SeenDealCommitted(number, commitment):
            event.deal_committed.CopyFrom(pb.DealCommitted(shuffle=number, commitment=commitment))
        case matches.SeedAdded(number, seat, seed):
            event.seed_added.CopyFrom(pb.SeedAdded(shuffle=number, seat=seat, seed=seed))
        case matches.SeedRevealed(number, server_seed):
            event.seed_revealed.CopyFrom(pb.SeedRevealed(shuffle=number, seed=server_seed))
        case _:
            assert_never(seen)


def _set_attack_kind(
    event: pb.Event,
    seen: rules.Led
    | rules.ThrownIn
    | rules.Passed
    | rules.Retracted
    | rules.Dumped
    | rules.RedealClaimed,
) -> None:
    match seen:
        case rules.Led(seat, cards):
            event.led.CopyFrom(pb.Led(seat=seat, cards=wire_cards(cards)))
        case rules.ThrownIn(seat, cards):
            event.thrown_in.CopyFrom(pb.ThrownIn(seat=seat, cards=wire_cards(cards)))
        case rules.Passed(seat):
            event.passed.CopyFrom(pb.Passed(seat=seat))
        case rules.Retracted(seat, card):
            event.retracted.CopyFrom(pb.Retracted(seat=seat, card=wire_card(card)))
        case rules.Dumped(seat, cards):
            event.dumped.CopyFrom(pb.Dumped(seat=seat, cards=wire_cards(cards)))
        case rules.RedealClaimed(seat, hand):
            event.redeal_claimed.CopyFrom(pb.RedealClaimed(seat=seat, hand=wire_cards(hand)))
        case _:
            assert_never(seen)


def _set_defence_kind(
    event: pb.Event,
    seen: rules.Beaten | rules.Transferred | rules.Shown | rules.TakeDeclared,
) -> None:
    match seen:
        case rules.Beaten(seat, target, card):
            event.beaten.CopyFrom(
                pb.Beaten(seat=seat, target=wire_card(target), cover=wire_card(card))
            )
        case rules.Transferred(seat, cards, defender, limit):
            event.transferred.CopyFrom(
                pb.Transferred(seat=seat, cards=wire_cards(cards), defender=defender, limit=limit)
            )
        case rules.Shown(seat, card, defender, limit):
            event.shown.CopyFrom(
                pb.Shown(seat=seat, card=wire_card(card), defender=defender, limit=limit)
            )
        case rules.TakeDeclared(seat):
            event.take_declared.CopyFrom(pb.TakeDeclared(seat=seat))
        case _:
            assert_never(seen)


def _set_deal_kind(
    event: pb.Event,
    seen: matches.SeenDealStarted
    | matches.SeenDrew
    | rules.BoutStarted
    | rules.BoutEnded
    | rules.WentOut
    | rules.Forfeited
    | rules.DealEnded,
) -> None:
    match seen:
        case matches.SeenDealStarted():
            event.deal_started.CopyFrom(_deal_started(seen))
        case matches.SeenDrew(seat, count, cards):
            event.drew.CopyFrom(pb.Drew(seat=seat, count=count, cards=wire_cards(cards)))
        case rules.BoutStarted(leader, defender, limit):
            event.bout_started.CopyFrom(
                pb.BoutStarted(leader=leader, defender=defender, limit=limit)
            )
        case rules.BoutEnded():
            event.bout_ended.CopyFrom(_bout_ended(seen))
        case rules.WentOut(seat, place):
            event.went_out.CopyFrom(pb.WentOut(seat=seat, place=place))
        case rules.Forfeited(seat):
            event.forfeited.CopyFrom(pb.Forfeited(seat=seat))
        case rules.DealEnded():
            event.deal_ended.result.CopyFrom(wire_result(seen))
        case _:
            assert_never(seen)


def _deal_started(seen: matches.SeenDealStarted) -> pb.DealStarted:
    return pb.DealStarted(
        deal=seen.deal,
        dealer=seen.dealer,
        leader=seen.leader,
        trump=SUITS[seen.trump],
        trump_card=wire_card(seen.trump_card),
        stock_size=seen.stock_size,
        hand=wire_cards(seen.hand),
        seats=seen.seats,
        dealt_hands=[
            pb.DealtHand(seat=seat, cards=wire_cards(hand))
            for seat, hand in zip(seen.seats, seen.hands, strict=False)
        ],
        order=wire_cards(seen.order),
    )


def _bout_ended(seen: rules.BoutEnded) -> pb.BoutEnded:
    return pb.BoutEnded(
        outcome=BOUT_OUTCOMES[seen.outcome],
        returned=[
            pb.ReturnedCards(seat=seat, cards=wire_cards(cards)) for seat, cards in seen.returned
        ],
    )
