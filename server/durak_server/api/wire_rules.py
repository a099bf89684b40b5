"""Rule sets of the wire: in requests partial, over a preset; in answers full."""

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from durak_server import rules
from durak_server.api.failures import CallFailed, invalid_field, invalid_fields
from durak_server.api.wire_enums import Pairs
from durak_server.pb.durak.v1 import rules_pb2
from durak_server.rules import Preset, RuleSet

_ENUMS: Final[Mapping[str, Pairs[Any]]] = {  # Any: each option has an enum of its own
    "trump": Pairs(rules.Trump, rules_pb2.Trump, "TRUMP_"),
    "redeal_right": Pairs(rules.RedealRight, rules_pb2.RedealRight, "REDEAL_RIGHT_"),
    "next_leader": Pairs(rules.NextLeader, rules_pb2.NextLeader, "NEXT_LEADER_"),
    "throw_in": Pairs(rules.ThrowIn, rules_pb2.ThrowIn, "THROW_IN_"),
    "throw_in_priority": Pairs(
        rules.ThrowInPriority, rules_pb2.ThrowInPriority, "THROW_IN_PRIORITY_"
    ),
    "throw_in_timing": Pairs(rules.ThrowInTiming, rules_pb2.ThrowInTiming, "THROW_IN_TIMING_"),
    "attack_cap": Pairs(rules.AttackCap, rules_pb2.AttackCap, "ATTACK_CAP_"),
    "first_bout_cap": Pairs(rules.FirstBoutCap, rules_pb2.FirstBoutCap, "FIRST_BOUT_CAP_"),
    "overthrow": Pairs(rules.Overthrow, rules_pb2.Overthrow, "OVERTHROW_"),
    "dump": Pairs(rules.Dump, rules_pb2.Dump, "DUMP_"),
    "transfer_hand_check": Pairs(
        rules.TransferHandCheck, rules_pb2.TransferHandCheck, "TRANSFER_HAND_CHECK_"
    ),
    "draw_order": Pairs(rules.DrawOrder, rules_pb2.DrawOrder, "DRAW_ORDER_"),
    "final_draw": Pairs(rules.FinalDraw, rules_pb2.FinalDraw, "FINAL_DRAW_"),
    "endgame": Pairs(rules.Endgame, rules_pb2.Endgame, "ENDGAME_"),
    "places": Pairs(rules.Places, rules_pb2.Places, "PLACES_"),
    "simultaneous_places": Pairs(
        rules.SimultaneousPlaces, rules_pb2.SimultaneousPlaces, "SIMULTANEOUS_PLACES_"
    ),
    "teams": Pairs(rules.Teams, rules_pb2.Teams, "TEAMS_"),
    "jokers": Pairs(rules.Jokers, rules_pb2.Jokers, "JOKERS_"),
    "table_talk": Pairs(rules.TableTalk, rules_pb2.TableTalk, "TABLE_TALK_"),
    "leave": Pairs(rules.Leave, rules_pb2.LeavePolicy, "LEAVE_POLICY_"),
    "on_timeout": Pairs(rules.OnTimeout, rules_pb2.OnTimeout, "ON_TIMEOUT_"),
}
OPTIONS: Final = tuple(field.name for field in fields(RuleSet))
_MOST: Final = {"deals": 1000, "turn_seconds": 3600, "bank_seconds": 3600}


@lru_cache(maxsize=256)
def wire_rules(rule_set: RuleSet) -> rules_pb2.RuleSet:
    """Return a full rule set for an answer. It is shared: copy it, never change it."""
    return rules_pb2.RuleSet(
        **{name: _wire_value(name, getattr(rule_set, name)) for name in OPTIONS}
    )


def options_from_wire(message: rules_pb2.RuleSet) -> dict[str, Any]:  # Any: each its own type
    """Return the options that a request sets.

    Raises:
        CallFailed: values are unknown or out of their bounds; it names each of them.
    """
    found = {}
    problems: list[tuple[str, str]] = []
    present = {field.name for field, _ in message.ListFields()}
    for name in OPTIONS:
        if name in present:
            try:
                found[name] = _own_value(name, getattr(message, name))
            except CallFailed as failure:
                problems += failure.violations
    if problems:
        raise invalid_fields(problems)
    return found


def _own_value(name: str, value: Any) -> Any:  # Any: as options_from_wire
    if pairs := _ENUMS.get(name):
        return pairs.member(value, f"rules.{name}")
    if value > _MOST.get(name, value):
        raise invalid_field(f"rules.{name}", f"must be 0 to {_MOST[name]}")
    return value


def rules_from_wire(preset: Preset, message: rules_pb2.RuleSet) -> RuleSet:
    """Return a preset with the options that a request sets. It may yet be impossible.

    Raises:
        CallFailed: as `options_from_wire`.
    """
    return replace(rules.preset(preset), **options_from_wire(message))


def _wire_value(name: str, value: Enum | int | bool) -> Any:  # Any: as options_from_wire
    return _ENUMS[name][value] if name in _ENUMS else value
