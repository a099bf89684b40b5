"""Free seats that not everybody may take."""

from collections.abc import Sequence

from durak_server.matches.admission import Admission
from durak_server.matches.player import Player


def reserved_seats(admission: Admission, seats: Sequence[Player | None]) -> int:
    """Return how many free seats are kept for others than those who come along."""
    return _for_names(admission, seats) + _for_invited(admission, seats)


def may_sit_down(admission: Admission, seats: Sequence[Player | None], newcomer: Player) -> bool:
    """Tell whether there is a seat for somebody: a free one that is his, or nobody's."""
    kept = reserved_seats(admission, seats)
    is_his = newcomer.player_id in admission.reserved_for or (
        newcomer.is_invited and _for_invited(admission, seats) > 0
    )
    return seats.count(None) > kept - is_his


def reservation_problems(admission: Admission, owner_id: str, seats: int) -> list[tuple[str, str]]:
    """Return what is wrong with the reservations of a match to be made, by field."""
    names = admission.reserved_for
    if owner_id in names or len(set(names)) != len(names):
        return [("reserved_player_ids", "must name others, each once")]
    if len(names) + admission.reserved_for_code >= seats:
        return [("reserved_player_ids", f"at most {seats - 1} seats can be reserved")]
    return []


def _for_names(admission: Admission, seats: Sequence[Player | None]) -> int:
    seated = {player.player_id for player in seats if player}
    return sum(player_id not in seated for player_id in admission.reserved_for)


def _for_invited(admission: Admission, seats: Sequence[Player | None]) -> int:
    invited = sum(player.is_invited for player in seats if player)
    return max(0, admission.reserved_for_code - invited)
