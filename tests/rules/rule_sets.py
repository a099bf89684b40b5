"""Rule sets for properties: every preset, and valid ones at random."""

from dataclasses import fields
from enum import StrEnum
from random import Random

from durak_server.rules import Jokers, Preset, RuleSet, Teams, preset, problems

TABLES = [
    preset("podkidnoy"),
    preset("perevodnoy", seats=3, transfer_show=True, transfer_many=True),
    preset("podkidnoy_folk", seats=4),
    preset("perevodnoy_folk", seats=5, redeal_right="NONE"),
    preset("prostoy", seats=6),
    preset("japanese", seats=4, teams="ALTERNATE"),
    preset("online", seats=6, deck=52),
    preset("perevodnoy", seats=6, deck=54, jokers=Jokers.COLOUR, attack_cap="HAND"),
    preset("podkidnoy", seats=4, deck=24, throw_in_timing="AFTER_COVERED"),
]


def random_rules(random: Random) -> RuleSet:
    """Return a rule set without problems, of any preset, seats, deck and options."""
    while True:
        deck = random.choice((24, 36, 52, 54))
        options: dict[str, object] = {
            name: _random_value(getattr(RuleSet(), name), random)
            for name in (field.name for field in fields(RuleSet))
            if random.random() < 0.4
        }
        options |= {"seats": random.randint(2, 6), "deck": deck}
        options["jokers"] = Jokers.COLOUR if deck == 54 else Jokers.NONE
        rules = preset(random.choice(list(Preset)), **options)
        if not problems(rules):
            return rules


def seats_dealt_in(rules: RuleSet, random: Random) -> list[int]:
    """Return who gets cards: mostly all; now and then, where there are no teams, some left."""
    seats = list(range(rules.seats))
    while len(seats) > 2 and rules.teams is Teams.NONE and random.random() < 0.2:
        seats.remove(random.choice(seats))
    return seats


def _random_value(default: object, random: Random) -> object:
    if isinstance(default, bool):
        return random.random() < 0.5
    if isinstance(default, StrEnum):
        return random.choice(list(type(default)))
    return default
