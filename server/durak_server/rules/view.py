"""What one viewer may know of a position (rules.md, 9)."""

from dataclasses import dataclass

from durak_server.rules.cards import Card
from durak_server.rules.events import DealEnded
from durak_server.rules.moves import MoveGroup
from durak_server.rules.options import RuleSet


@dataclass(frozen=True, slots=True)
class TableCard:
    """An attack card, who laid it, what covers it, and whether it may still be taken back."""

    card: Card
    seat: int
    cover: Card | None
    retractable: bool


@dataclass(frozen=True, slots=True)
class View:
    """A deal as one seat sees it, or a spectator (`seat` is None).

    Cards are in ascending order, except on the table, where they lie in the order played. Tuples
    over seats start at seat 0.
    """

    seat: int | None
    rules: RuleSet
    trump_suit: int
    trump_card: Card | None
    """The card turned up, wherever it is now; None if none was."""
    stock_size: int
    discard_size: int
    removed_size: int
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]
    """The cards of each hand that everybody has seen go there."""
    table: tuple[TableCard, ...]
    shown: tuple[Card, ...]
    dumped: tuple[tuple[int, tuple[Card, ...]], ...]
    dealer: int
    leader: int
    main_attacker: int
    defender: int
    limit: int
    """The most attack cards of this bout; 54 stands for no limit."""
    room: int
    """How many more attack cards may be laid."""
    taking: bool
    passed: tuple[int, ...]
    in_play: tuple[int, ...]
    out: tuple[tuple[int, ...], ...]
    forfeited: tuple[int, ...]
    bouts: int
    barren: int
    to_act: tuple[int, ...]
    """The seats the deal waits for."""
    legal_moves: tuple[MoveGroup, ...]
    """What the viewer may do; empty for a spectator."""
    result: DealEnded | None
