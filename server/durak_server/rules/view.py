"""What one viewer may know of a position (rules.md, 10)."""

from dataclasses import dataclass

from durak_server.rules.cards import BIT, NO_CARD, Card, cards_of, size_of
from durak_server.rules.events import DealEnded
from durak_server.rules.legal import legal_moves, retractable
from durak_server.rules.moves import MoveGroup
from durak_server.rules.options import RuleSet
from durak_server.rules.position import Position
from durak_server.rules.seating import seats_of, to_act


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


def view(position: Position, seat: int | None) -> View:
    """Return what the player at `seat`, or a spectator (None), may know."""
    law = position.law
    hidden = position.trump_card == NO_CARD
    return View(
        seat=seat,
        rules=law.rules,
        trump_suit=position.trump,
        trump_card=None if hidden else position.trump_card,
        stock_size=len(position.stock),
        discard_size=size_of(position.discard),
        removed_size=size_of(position.removed),
        hand=() if seat is None else cards_of(position.hands[seat]),
        hand_sizes=tuple(size_of(hand) for hand in position.hands),
        known=tuple(cards_of(cards) for cards in position.known),
        table=_table(position),
        shown=cards_of(position.shown),
        dumped=tuple((dumper, cards_of(cards)) for dumper, cards in position.dumps),
        dealer=position.dealer,
        leader=position.leader,
        main_attacker=position.main_attacker,
        defender=position.defender,
        limit=position.limit,
        room=max(position.limit - len(position.attacks), 0),
        taking=position.taking,
        passed=seats_of(position.passed),
        in_play=seats_of(position.in_play),
        out=position.out,
        forfeited=position.forfeited,
        bouts=position.bouts,
        barren=position.barren,
        to_act=to_act(position),
        legal_moves=() if seat is None else tuple(legal_moves(position, seat)),
        result=position.result,
    )


def _table(position: Position) -> tuple[TableCard, ...]:
    return tuple(
        TableCard(
            card,
            seat,
            position.covers.get(card),
            bool(retractable(position, seat) & BIT[card]),
        )
        for card, seat in position.attacks.items()
    )
