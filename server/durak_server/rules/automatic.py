"""The move that is made for a player whose time has run out (rules.md, 15.4)."""

from durak_server.rules.moves import Move, MoveKind
from durak_server.rules.position import Position
from durak_server.rules.ranks import lowest_first


def automatic_move(position: Position, seat: int) -> Move:
    """Return what is done for a seat that must act: take, pass, or lead the least worthy card."""
    if not position.attacks:
        return Move(MoveKind.ATTACK, lowest_first(position, position.hands[seat], 1))
    if seat == position.defender:
        return Move(MoveKind.TAKE)
    return Move(MoveKind.PASS)
