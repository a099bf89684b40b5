"""All that is true of a deal at one moment."""

from copy import deepcopy
from dataclasses import dataclass, field

from tests.referee.cards import Options


@dataclass
class Laid:
    """An attack card on the table."""

    card: str
    by: int
    thrown_in: bool
    cover: str | None = None


@dataclass
class Result:
    """How a deal ended: places are groups of seats, the best first (rules.md, section 8)."""

    reason: str
    fools: set[int]
    places: list[set[int]]
    epaulettes: int = 0


@dataclass
class Position:
    options: Options
    trump: str
    dealer: int
    stock: list[str]
    hands: list[list[str]]

    leader: int = -1
    main_attacker: int = -1
    defender: int = -1
    limit: int = 0
    table: list[Laid] = field(default_factory=list)
    dumped: list[list[str]] = field(default_factory=list)
    taking: bool = False
    passed: set[int] = field(default_factory=set)
    taken_back: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    emptied: list[int] = field(default_factory=list)
    last_attacks: dict[int, list[str]] = field(default_factory=dict)

    discard: list[str] = field(default_factory=list)
    out_of_play: list[str] = field(default_factory=list)
    bouts: int = 0
    idle_bouts: int = 0
    in_play: list[int] = field(default_factory=list)
    moved: set[int] = field(default_factory=set)
    out: list[list[int]] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    result: Result | None = None

    def copy(self) -> "Position":
        """Return a position of its own: a move on it leaves this one alone."""
        options = self.options
        return deepcopy(self, {id(options): options})

    def hand(self, seat: int) -> list[str]:
        return self.hands[seat]

    def uncovered(self) -> list[Laid]:
        return [laid for laid in self.table if laid.cover is None]

    def all_covered(self) -> bool:
        return bool(self.table) and not self.uncovered()
