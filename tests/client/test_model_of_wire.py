"""What comes over the wire becomes the model, also what this client is too old to know."""

from datetime import UTC, datetime

import pytest

from durak_client import wire_events, wire_model
from durak_client.cards import Card, Suit
from durak_client.events import DealStarted, Drew, Event, UnknownFact
from durak_client.matches import MatchStatus, Option, PlayerKind, Preset
from durak_client.moves import LegalMove, Move, MoveKind
from durak_client.pb.durak.v1 import (
    card_pb2,
    event_pb2,
    match_pb2,
    move_pb2,
    play_service_pb2,
    view_pb2,
)
from durak_client.rule_options import from_rule_set, to_rule_set
from durak_client.view import Phase
from tests.client.tables import cards

KINDS = [field.name for field in event_pb2.Event.DESCRIPTOR.oneofs_by_name["kind"].fields]
NOON = datetime(2026, 11, 30, 12, 0, 0, 250_000, tzinfo=UTC)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_has_its_fact(kind: str) -> None:
    message = event_pb2.Event(sequence=7)
    getattr(message, kind).SetInParent()
    event = wire_events.event(message)
    assert (event.sequence, event.kind) == (7, kind)


def test_an_event_keeps_what_the_viewer_may_know() -> None:
    message = event_pb2.Event(
        sequence=9, deal_started=event_pb2.DealStarted(deal=2, dealer=1, leader=0, stock_size=24)
    )
    message.recorded_at.FromDatetime(NOON)
    started = message.deal_started
    started.trump = card_pb2.SUIT_HEARTS
    started.trump_card = card_pb2.CARD_SIX_OF_HEARTS
    started.hand.extend([card_pb2.CARD_SEVEN_OF_SPADES])
    started.seats.extend([0, 1])
    assert wire_events.event(message) == Event(
        9,
        NOON,
        DealStarted(2, 1, 0, Suit.HEARTS, Card.parse("6H"), 24, cards("7S"), (0, 1)),
    )
    drew = event_pb2.Event(sequence=10, drew=event_pb2.Drew(seat=1, count=3))
    assert wire_events.event(drew).fact == Drew(1, 3, ())


def test_an_event_of_an_unknown_kind_keeps_its_sequence() -> None:
    field_99_with_a_message_of_no_bytes = b"\x9a\x06\x00"
    message = event_pb2.Event.FromString(
        event_pb2.Event(sequence=5).SerializeToString() + field_99_with_a_message_of_no_bytes
    )
    event = wire_events.event(message)
    assert (event.sequence, event.kind, event.fact) == (5, "unknown", UnknownFact())


def test_unknown_numbers_of_enums_are_kept() -> None:
    message = view_pb2.View.FromString(
        view_pb2.View(
            seats=[match_pb2.Seat(kind=match_pb2.PlayerKind.ValueType(9))],
            status=match_pb2.MatchStatus.ValueType(77),
            deal=view_pb2.DealView(phase=view_pb2.Phase.ValueType(12)),
            legal_moves=[move_pb2.LegalMove(kind=move_pb2.MoveKind.ValueType(44))],
        ).SerializeToString()
    )
    view = wire_model.view(message)
    assert view.deal is not None
    assert view.status == MatchStatus(77)
    assert (view.status.name, view.status.is_known, view.status.is_over) == (
        "UNKNOWN_77",
        False,
        False,
    )
    assert view.seats[0].kind == PlayerKind(9)
    assert view.deal.phase == Phase(12)
    assert view.legal_moves == (LegalMove(MoveKind(44), (), None, 0, 0),)
    assert wire_model.to_move(Move(MoveKind(44))).kind == 44


def test_what_is_absent_is_none() -> None:
    view = wire_model.view(view_pb2.View(match_id="m"))
    assert (view.seat, view.deal, view.hand, view.fools) == (None, None, (), ())
    update = wire_events.update(play_service_pb2.Update(match_id="m", sequence=3))
    assert (update.view, update.info, update.events, update.is_final) == (None, None, (), False)


def test_options_of_rules_travel_by_name() -> None:
    options: dict[str, Option] = {
        "seats": 3,
        "throw_in": "NEIGHBOURS",
        "transfer": False,
        "deals": 0,
    }
    assert dict(from_rule_set(to_rule_set(options))) == options
    assert to_rule_set({"throw_in": "neighbours"}) == to_rule_set({"throw_in": "NEIGHBOURS"})


def test_what_is_printed_of_an_enum_is_its_name() -> None:
    printed = f"{MatchStatus.PLAYING} {MatchStatus(77)} {MatchStatus.OPEN:>6}"
    assert printed == "PLAYING UNKNOWN_77   OPEN"
    assert str(MatchStatus.FINISHED) == "FINISHED"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("color", 1, "no option is called 'color'"),
        ("seats", "two", "option seats is a number, not 'two'"),
        ("throw_in", "SOME", "option throw_in is one of .*NEIGHBOURS.*, not 'SOME'"),
    ],
)
def test_an_option_that_is_none_is_refused(name: str, value: int | str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        to_rule_set({name: value})


def test_a_preset_is_found_by_name_in_either_case() -> None:
    assert Preset.named("Perevodnoy") is Preset.named(Preset.PEREVODNOY) is Preset.PEREVODNOY
    with pytest.raises(ValueError, match="'whist' is not one of podkidnoy, perevodnoy"):
        Preset.named("whist")
