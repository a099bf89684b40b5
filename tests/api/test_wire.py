"""What is the same on both sides of the wire."""

import keyword
import re
from datetime import UTC, datetime
from enum import Enum
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor
from grpc import StatusCode
from hypothesis import given
from hypothesis import strategies as st

from durak_server import rules
from durak_server.api.failures import CallFailed
from durak_server.api.reasons import CODES, WIRE_REASONS
from durak_server.api.wire_cards import (
    card_from_wire,
    mask_from_wire,
    wire_card,
    wire_cards,
    wire_mask,
)
from durak_server.api.wire_enums import DEAL_ENDS
from durak_server.api.wire_moves import move_from_wire, wire_group
from durak_server.api.wire_rules import OPTIONS, options_from_wire, rules_from_wire, wire_rules
from durak_server.api.wire_times import wire_time
from durak_server.matches import MatchReason
from durak_server.pb.durak import v1
from durak_server.pb.durak.v1 import card_pb2, error_pb2, move_pb2, rules_pb2, view_pb2
from durak_server.rules import (
    Card,
    Move,
    MoveGroup,
    MoveKind,
    Preset,
    Reason,
    card_name,
    deck_cards,
    expand,
    mask_of,
    parse_card,
    preset,
)

SUITS = {"S": 1, "H": 2, "D": 3, "C": 4}
RANKS = {name: number for number, name in enumerate("23456789TJQKA", 2)}

ERROR_PROTO = Path(__file__).parents[2] / "protos" / "durak" / "v1" / "error.proto"


@pytest.mark.parametrize("card", deck_cards(52))
def test_a_card_is_16_times_suit_plus_rank(card: Card) -> None:
    name = card_name(card)

    number = wire_card(card)

    assert number == 16 * SUITS[name[1]] + RANKS[name[0]]
    assert card_pb2.Card.Name(number)
    assert card_from_wire(number, "card") == card


def test_jokers_have_numbers_beyond_the_suits() -> None:
    assert wire_cards([parse_card("JKR"), parse_card("JKB")]) == [
        card_pb2.CARD_RED_JOKER,
        card_pb2.CARD_BLACK_JOKER,
    ]


@given(st.frozensets(st.sampled_from(deck_cards(54))))
def test_a_set_of_cards_comes_back_as_it_went(cards: frozenset[Card]) -> None:
    assert mask_from_wire(wire_mask(mask_of(cards)), "cards") == mask_of(cards)


def test_every_card_of_the_contract_is_one_of_ours() -> None:
    numbers = set(card_pb2.Card.values()) - {0}
    assert {wire_card(card) for card in deck_cards(54)} == numbers


@pytest.mark.parametrize("name", Preset)
def test_a_full_rule_set_comes_back_as_it_went(name: Preset) -> None:
    rule_set = preset(name)

    assert rules_from_wire(Preset.PODKIDNOY, wire_rules(rule_set)) == rule_set
    assert rules_from_wire(name, rules_pb2.RuleSet()) == rule_set


def test_the_contract_has_every_option_in_the_same_order() -> None:
    assert tuple(rules_pb2.RuleSet.DESCRIPTOR.fields_by_name) == OPTIONS


ENUM_OPTIONS = [field for field in rules_pb2.RuleSet.DESCRIPTOR.fields if field.enum_type]


@pytest.mark.parametrize("option", ENUM_OPTIONS, ids=lambda option: option.name)
def test_every_value_of_an_option_is_one_of_ours(option: FieldDescriptor) -> None:
    assert option.enum_type
    ours: type[Enum] = type(getattr(preset(Preset.PODKIDNOY), option.name))

    found = []
    for value in option.enum_type.values[1:]:
        message = json_format.ParseDict({option.name: value.number}, rules_pb2.RuleSet())
        found.append(options_from_wire(message)[option.name])

    assert found == list(ours)


@pytest.mark.parametrize("kind", MoveKind)
def test_every_kind_of_move_has_the_same_number(kind: MoveKind) -> None:
    assert int(move_pb2.MoveKind.Value(f"MOVE_KIND_{kind.name}")) == int(kind)


def test_a_legal_move_sent_back_is_the_move_it_stands_for() -> None:
    seven, eight = parse_card("7S"), parse_card("8S")
    groups = [
        MoveGroup(MoveKind.ATTACK, mask_of([seven, eight]), rules.NO_CARD, 1, 2),
        MoveGroup(MoveKind.BEAT, mask_of([eight]), seven, 1, 1),
        MoveGroup(MoveKind.TAKE, 0, rules.NO_CARD, 0, 0),
    ]
    for group in groups:
        shown = wire_group(group)
        sent = move_pb2.Move(
            kind=shown.kind, cards=shown.cards[: shown.min_cards], target=shown.target
        )
        assert move_from_wire(sent) == next(expand(group))


def test_a_move_without_a_kind_is_none() -> None:
    with pytest.raises(CallFailed) as failure:
        move_from_wire(move_pb2.Move())
    assert failure.value.violations == (("move.kind", "must be said"),)


def test_a_beat_comes_with_card_and_target() -> None:
    sent = move_pb2.Move(
        kind=move_pb2.MOVE_KIND_BEAT,
        cards=[card_pb2.CARD_EIGHT_OF_CLUBS],
        target=card_pb2.CARD_SEVEN_OF_CLUBS,
    )
    assert move_from_wire(sent) == Move(
        MoveKind.BEAT, mask_of([parse_card("8C")]), parse_card("7C")
    )


def test_every_end_of_a_deal_is_told_apart_as_far_as_the_contract_does() -> None:
    assert set(DEAL_ENDS.values()) == set(view_pb2.DealEnd.values()) - {0}


def test_every_reason_of_ours_is_one_of_the_contract() -> None:
    assert set(WIRE_REASONS) == {*MatchReason, *Reason}


def documented_codes() -> dict[str, StatusCode]:
    """Return the code with which the comment of each reason begins; most are without one."""
    enum = ERROR_PROTO.read_text("utf-8").partition("enum ErrorReason {")[2].partition("}")[0]
    said = re.findall(r"((?:  //.*\n)*)  (ERROR_REASON_\w+) = \d+;", enum)
    codes = {name: re.match(r"  // ([A-Z_]+)(?::| for )", comment) for comment, name in said}
    return {
        name: StatusCode[code[1]] if code else StatusCode.FAILED_PRECONDITION
        for name, code in codes.items()
    }


def test_every_reason_of_the_contract_has_its_documented_code() -> None:
    documented = documented_codes()
    assert len(documented) == len(error_pb2.ErrorReason.values())
    for name, number in error_pb2.ErrorReason.items()[1:]:
        assert CODES.get(number, StatusCode.FAILED_PRECONDITION) is documented[name], name


def messages(file: FileDescriptor) -> list[Descriptor]:
    return list(file.message_types_by_name.values())


# What a generated class could not be read by in Python, C#, Swift or Kotlin.
KEYWORDS = """
    abstract as base bool break byte case catch char checked class const continue decimal default
    delegate do double else enum event explicit extern false finally fixed float for foreach goto
    if implicit in int interface internal is lock long namespace new null object operator out
    override params private protected public readonly ref return sbyte sealed short sizeof
    stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe
    ushort using virtual void volatile while associatedtype deinit extension fileprivate func
    import init inout let open precedencegroup protocol rethrows subscript typealias var defer
    fallthrough guard repeat where any self super fun val when
"""


def test_no_field_is_named_by_a_keyword_of_the_languages_it_is_generated_for() -> None:
    files = [
        import_module(f"{v1.__name__}.{module.name}").DESCRIPTOR
        for module in iter_modules(v1.__path__)
        if module.name.endswith("_pb2")
    ]
    fields = [field for file in files for message in messages(file) for field in message.fields]
    assert len(fields) > 100
    reserved = {*keyword.kwlist, *KEYWORDS.split()}
    assert [field.full_name for field in fields if field.name in reserved] == []


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))  # noqa: DTZ001  (naive on purpose)
def test_a_moment_is_exact_to_the_microsecond(naive: datetime) -> None:
    moment = naive.replace(tzinfo=UTC)

    assert wire_time(moment).ToDatetime(tzinfo=UTC) == moment
