"""Whole deals played by both: one number gives the rules, the cards and every choice."""

from dataclasses import dataclass
from random import Random

from durak_server.rules import RuleSet
from tests.referee.agreement import Both, options_of
from tests.referee.attackers import waited_for
from tests.referee.cards import deck_of
from tests.referee.choosing import by_chance, lowest, wild
from tests.referee.moves import offers
from tests.rules.rule_sets import random_rules, seats_dealt_in

WILD = 0.05
"""The share of steps that try a move of little sense instead."""
UNASKED = 0.1
"""The share of steps in which anybody acts who may, waited for or not."""
LEAVING = 0.001


@dataclass
class Played:
    """What is counted of a deal."""

    play: str
    reason: str
    steps: int
    longest_idle_run: int


def play_deal(seed: int) -> Played:
    """Play a deal to its end, every second one low cards first.

    Raises:
        Disagreement: the engine and the referee see something differently.
    """
    random = Random(seed)
    return play_with(random_rules(random), "lowest" if seed % 2 else "chance", random)


def play_with(rules: RuleSet, play: str, random: Random) -> Played:
    """Play a deal by these rules to its end.

    Raises:
        Disagreement: the engine and the referee see something differently.
    """
    both = open_deal(rules, random)
    played = Played(play, "", 0, 0)
    while both.referee.result is None:
        step(both, play, random)
        played.steps += 1
        played.longest_idle_run = max(played.longest_idle_run, both.referee.idle_bouts)
    played.reason = both.referee.result.reason
    return played


def open_deal(rules: RuleSet, random: Random) -> Both:
    order = deck_of(options_of(rules))
    random.shuffle(order)
    seats = seats_dealt_in(rules, random)
    leader = random.choice(seats) if random.random() < 0.2 else None
    return Both(rules, order, random.choice(seats), leader, seats)


def step(both: Both, play: str, random: Random) -> None:
    deal, dice = both.referee, random.random()
    if dice < WILD:
        both.make(*wild(deal, random))
    elif dice < WILD + LEAVING:
        both.leave(random.choice(deal.in_play))
    elif dice < WILD + LEAVING + UNASKED:
        seat = random.choice([seat for seat in deal.in_play if offers(deal, seat)])
        both.make(seat, by_chance(deal, seat, random))
    else:
        seat = random.choice(sorted(waited_for(deal)))
        choose = lowest if play == "lowest" else by_chance
        both.make(seat, choose(deal, seat, random))
