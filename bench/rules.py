"""Speed of the rules engine at uniform random play, beside that of a fixed loop of plain Python.

The loop tells machines, and moments of a busy machine, apart: compare figures only where it took
the same time. Every figure is the best of several rounds, in seconds of CPU.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from durak_server.rules import RuleSet, preset
from durak_server.rules.cards import COMPILED
from durak_server.rules.ruletext import format_rules
from durak_server.rules.simulate import openings, play_out

LOOP = 1_000_000
RULES = (
    preset("podkidnoy", seats=2),
    preset("podkidnoy", seats=4),
    preset("perevodnoy", seats=2),
    preset("perevodnoy", seats=4),
    preset("podkidnoy_folk", seats=4),
    preset("podkidnoy", seats=6, deck=52),
)


@dataclass(frozen=True, slots=True)
class Speed:
    """What one core does in a second under one rule set."""

    rules: RuleSet
    deals: float
    moves: float


def calibration() -> None:
    """Do a fixed amount of integer work that no optimisation of this project changes."""
    value = 0
    for number in range(LOOP):
        value = (value * 31 + number) & 0xFFFFFFFF


def best_of(rounds: int, work: Callable[[], None]) -> float:
    """Return the seconds of CPU of the fastest round."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def speed(rules: RuleSet, deals: int, rounds: int) -> Speed:
    """Return the speed of whole deals, shuffling and dealing included."""
    moves = 0

    def play() -> None:
        nonlocal moves
        dice = Random(1)
        moves = sum(play_out(position, dice) for position in openings(rules, deals, dice))

    seconds = best_of(rounds, play)
    return Speed(rules, deals / seconds, moves / seconds)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200, help="deals in a round")
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    build = "compiled" if COMPILED else "pure Python"
    loop = best_of(arguments.rounds, calibration)
    print(f"Python {sys.version}; rules {build}")
    print(f"calibration loop of {LOOP:,} steps: {loop * 1000:.1f} ms\n")
    print(f"{'rules':32}{'deals/s':>9}{'moves/s':>11}{'moves/deal':>12}{'us/move':>9}")
    for rules in RULES:
        found = speed(rules, arguments.deals, arguments.rounds)
        print(
            f"{format_rules(rules):32}{found.deals:9,.0f}{found.moves:11,.0f}"
            f"{found.moves / found.deals:12.1f}{1e6 / found.moves:9.2f}"
        )


if __name__ == "__main__":
    main()
