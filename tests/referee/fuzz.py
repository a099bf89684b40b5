"""The long comparison: python -m tests.referee.fuzz --deals 100000 [--first 0] [--workers 2].

Deals are numbered; a number plays the same deal again, so a run can be cut into parts.
"""

import argparse
import multiprocessing
import sys
from collections import Counter
from time import monotonic

from tests.referee.agreement import Disagreement
from tests.referee.deals import Played, play_deal

SHOWN_EVERY = 1000


def main() -> int:
    """Return 1 if there was a disagreement, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    parser.add_argument("--workers", type=int, default=2)
    wanted = parser.parse_args()
    numbers = range(wanted.first, wanted.first + wanted.deals)
    started, failures, tally = monotonic(), 0, Tally()
    with multiprocessing.Pool(wanted.workers) as pool:
        for done, (number, played) in enumerate(pool.imap(attempt, numbers, chunksize=20), 1):
            if isinstance(played, Played):
                tally.add(played)
            else:
                failures += 1
                say(f"deal {number}: {played}")
            if done % SHOWN_EVERY == 0:
                say(f"{done} deals, up to {number}, {monotonic() - started:.0f} s")
    say(f"{wanted.deals} deals, {failures} disagreements\n{tally.text()}")
    return 1 if failures else 0


def attempt(number: int) -> tuple[int, Played | str]:
    try:
        return number, play_deal(number)
    except Disagreement as found:
        return number, str(found)


class Tally:
    """How deals ended, how long they were, and how near they came to going on for ever."""

    def __init__(self) -> None:
        self.ends: Counter[tuple[str, str]] = Counter()
        self.steps: Counter[str] = Counter()
        self.longest: Counter[str] = Counter()

    def add(self, played: Played) -> None:
        self.ends[played.play, played.reason] += 1
        self.steps[played.play] += played.steps
        self.longest[played.play] = max(self.longest[played.play], played.longest_idle_run)

    def text(self) -> str:
        lines = [f"{play:8} {reason:8} {n}" for (play, reason), n in sorted(self.ends.items())]
        for play, steps in sorted(self.steps.items()):
            lines.append(f"{play:8} {steps} steps, longest idle run {self.longest[play]} bouts")
        return "\n".join(lines)


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
