"""How many ways of going on there are: everybody who may move is tried with every move."""

from tests.referee.moves import legal_moves
from tests.referee.playing import make_move
from tests.referee.position import Position


def paths(deal: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` moves, a deal that ends cutting them."""
    choices = [(seat, move) for seat in deal.in_play for move in legal_moves(deal, seat)]
    if depth == 1:
        return len(choices)
    total = 0
    for seat, move in choices:
        after = deal.copy()
        make_move(after, seat, move)
        total += paths(after, depth - 1)
    return total
