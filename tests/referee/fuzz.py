"""The long comparison: python -m tests.referee.fuzz --deals 100000 [--first 0] [--workers 2].

Deals are numbered; a number plays the same deal again, so a run can be cut into parts.
"""

import argparse
import multiprocessing
import signal
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
    tally = Tally()
    try:
        # An interrupt is for this process: it ends the others and tells what was found so far.
        ignore = (signal.SIGINT, signal.SIG_IGN)
        with multiprocessing.Pool(wanted.workers, signal.signal, ignore) as pool:
            for number, played in pool.imap(attempt, numbers, chunksize=20):
                tally.add(number, played)
    except KeyboardInterrupt:
        say("stopped")
    say(tally.text())
    return 1 if tally.failures else 0


def attempt(number: int) -> tuple[int, Played | str]:
    try:
        return number, play_deal(number)
    except Disagreement as found:
        return number, str(found)


class Tally:
    """How deals ended, how long they were, and how near they came to going on for ever."""

    def __init__(self) -> None:
        self.started = monotonic()
        self.deals = 0
        self.failures = 0
        self.ends: Counter[tuple[str, str]] = Counter()
        self.steps: Counter[str] = Counter()
        self.longest: Counter[str] = Counter()

    def add(self, number: int, played: Played | str) -> None:
        """Count a deal, or the disagreement in it, and show how far it has come."""
        self.deals += 1
        if isinstance(played, Played):
            self.ends[played.play, played.reason] += 1
            self.steps[played.play] += played.steps
            self.longest[played.play] = max(self.longest[played.play], played.longest_idle_run)
        else:
            self.failures += 1
            say(f"deal {number}: {played}")
        if self.deals % SHOWN_EVERY == 0:
            say(f"{self.deals} deals, up to {number}, {monotonic() - self.started:.0f} s")

    def text(self) -> str:
        lines = [f"{self.deals} deals, {self.failures} disagreements"]
        lines += [f"{play:8} {reason:8} {n}" for (play, reason), n in sorted(self.ends.items())]
        for play, steps in sorted(self.steps.items()):
            lines.append(f"{play:8} {steps} steps, longest idle run {self.longest[play]} bouts")
        return "\n".join(lines)


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
