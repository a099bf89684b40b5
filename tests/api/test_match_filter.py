"""The lobby's filter knows every option of the rules, and every value of each."""

from dataclasses import fields
from enum import Enum
from pathlib import Path

import pytest

from durak_server.api.wire_rules import wire_rules
from durak_server.pb.durak.v1 import rules_pb2
from durak_server.rules import Jokers, Preset, RuleSet, Teams, preset, problems
from durak_server.rules.options import OptionValue
from tests.live_server import connected, running_server

OPTIONS = [field.name for field in fields(RuleSet)]
NUMBERS: dict[str, tuple[int, ...]] = {
    "seats": (2, 3, 4, 5, 6),
    "deck": (24, 36, 52, 54),
    "deal_step": (1, 2),
    "deals": (0, 1, 1000),
    "turn_seconds": (0, 1, 3600),
    "bank_seconds": (0, 1, 3600),
}
TIMED: dict[str, OptionValue] = {"turn_seconds": 30}
BASES: list[dict[str, OptionValue]] = [
    {},
    TIMED,
    TIMED | {"seats": 4, "teams": Teams.ALTERNATE},
    TIMED | {"deck": 54, "jokers": Jokers.COLOUR},
    TIMED | {"deck": 52, "transfer": True, "transfer_many": True},
]


def values_of(name: str) -> tuple[OptionValue, ...]:
    default = getattr(RuleSet(), name)
    if isinstance(default, bool):
        return (False, True)
    return tuple(type(default)) if isinstance(default, Enum) else NUMBERS[name]


def rules_with(name: str, value: OptionValue) -> RuleSet:
    """Return rules that can be played and have this value."""
    changed = (preset(kind, **(base | {name: value})) for base in BASES for kind in Preset)
    return next(rules for rules in changed if not problems(rules))


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest) -> str:
    """Where the server keeps its matches."""
    kind: str = request.param
    return kind


@pytest.mark.parametrize("name", OPTIONS)
async def test_the_lobby_is_filtered_by(name: str, store: str, tmp_path: Path) -> None:
    rules_of = {value: rules_with(name, value) for value in values_of(name)}
    async with running_server(store=store, data=tmp_path) as server, connected(server) as calls:
        guest = await calls.guest()
        made = {
            (await guest.create(rules=wire_rules(rules))).info.match_id: rules
            for rules in rules_of.values()
        }
        for value, rules in rules_of.items():
            wanted = rules_pb2.RuleSet(**{name: getattr(wire_rules(rules), name)})
            found = await guest.matches(filter={"rules": wanted})

            fitting = {one for one, its in made.items() if getattr(its, name) == value}
            assert {info.match_id for info in found.matches} == fitting != set()


def test_the_filter_has_every_option() -> None:
    assert set(OPTIONS) == {field.name for field in rules_pb2.RuleSet.DESCRIPTOR.fields}
