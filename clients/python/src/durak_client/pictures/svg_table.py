"""A table at one moment as SVG: who holds what, the bout, the stock and the discard."""

from collections.abc import Sequence
from dataclasses import dataclass

from durak_client.cards import Suit
from durak_client.cli.choices import sorted_hand
from durak_client.cli.words import role_in_words
from durak_client.pictures.svg_card import HEIGHT, WIDTH, back, face, suit_sign
from durak_client.pictures.svg_words import AMBER, CORAL, CREAM, FADED, SKY, sheet, words
from durak_client.view import Deal, Phase, SeatView, TablePair, View

_SHEET = (1000, 700)
_PAIRS_IN_ROW = 3
_READABLE = 0.28
"""The part of a card's width that must show beside the next one, for its rank to be read."""
_LIFT = 0.42
"""By what part of its height a row of cards lies above the row before it."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a seat's hand lies: its middle, how wide it may be, and how large its cards are."""

    x: float
    y: float
    width: float
    scale: float
    name_below: bool


_NEAR = _Spot(500, 612, 520, 1.3, name_below=False)
_LEFT, _RIGHT = _Spot(132, 330, 216, 0.9, True), _Spot(868, 330, 216, 0.9, True)


def _far(x: float) -> _Spot:
    return _Spot(x, 74, 240, 0.9, name_below=True)


_SPOTS = {
    1: (_NEAR,),
    2: (_NEAR, _far(500)),
    3: (_NEAR, _far(260), _far(740)),
    4: (_NEAR, _LEFT, _far(500), _RIGHT),
    5: (_NEAR, _LEFT, _far(300), _far(700), _RIGHT),
    6: (_NEAR, _LEFT, _far(230), _far(500), _far(770), _RIGHT),
}
"""The spots by the number of seats, clockwise from the viewer's own."""


def table_picture(view: View, title: str) -> str:
    """Return the table as an SVG file, the viewer's seat nearest, else the first.

    Raises:
        ValueError: no cards have been dealt.
    """
    deal = view.deal
    if deal is None:
        raise ValueError("no cards have been dealt at that moment")
    first = view.seat or 0
    seats = (*deal.seats[first:], *deal.seats[:first])
    spots = _SPOTS[len(seats)]
    parts = [_seat(view, deal, seat, spot) for seat, spot in zip(seats, spots, strict=True)]
    parts += (_stock(deal), _bout(deal.table), _discard(deal))
    parts.append(words(title, 24, 682, size=15, ink=FADED, anchor="start"))
    return sheet(*_SHEET, title, "\n".join(part for part in parts if part))


def _seat(view: View, deal: Deal, seat: SeatView, spot: _Spot) -> str:
    role = role_in_words(deal, seat.seat)
    name = view.name_of(seat.seat)
    height = HEIGHT * spot.scale
    above = spot.y - height / 2 - 16 - height * _LIFT * (len(_rows(seat.hand_size, spot)) - 1)
    y = spot.y + height / 2 + 26 if spot.name_below else above
    said = f"{name}, {role}" if role else name
    plate_width = max(90, 9 * len(said) + 28)
    plate = (
        f'<rect x="{spot.x - plate_width / 2:g}" y="{y - 18:g}" width="{plate_width}" height="25"'
        f' rx="12.5" fill="#000" fill-opacity="0.5"{_ring(seat)}/>'
    )
    return _hand(seat, deal.trump, spot) + plate + words(said, spot.x, y, ink=_role_ink(deal, seat))


def _ring(seat: SeatView) -> str:
    return f' stroke="{AMBER}" stroke-width="2"' if seat.may_act else ""


def _role_ink(deal: Deal, seat: SeatView) -> str:
    if seat.is_out or deal.phase == Phase.OVER:
        return FADED
    if seat.seat == deal.defender:
        return CORAL if deal.phase == Phase.TAKING else SKY
    return AMBER if seat.seat == deal.main_attacker else CREAM


def _hand(seat: SeatView, trump: Suit, spot: _Spot) -> str:
    """Return the hand; what is not known of it lies face down and comes first."""
    faces = sorted_hand(seat.hand or seat.known_cards, trump)
    places = _places(seat.hand_size, spot)
    hidden = seat.hand_size - len(faces)
    drawn = [back(x, y, spot.scale) for x, y in places[:hidden]]
    drawn += (
        face(card, x, y, spot.scale) for card, (x, y) in zip(faces, places[hidden:], strict=True)
    )
    return "".join(drawn)


def _rows(size: int, spot: _Spot) -> tuple[int, ...]:
    """Return how many cards lie in each row: two rows where one could not be read."""
    width = WIDTH * spot.scale
    if size <= 1 + (spot.width - width) / (width * _READABLE):
        return (size,)
    return (size // 2, size - size // 2)


def _places(size: int, spot: _Spot) -> list[tuple[float, float]]:
    """Return the upper left corners of a hand's cards, the far row first."""
    width, height = WIDTH * spot.scale, HEIGHT * spot.scale
    rows = _rows(size, spot)
    step = min(width * 0.72, (spot.width - width) / max(rows[-1] - 1, 1))
    places = []
    for row, cards in enumerate(rows):
        left = spot.x - (step * (cards - 1) + width) / 2
        top = spot.y - height / 2 - height * _LIFT * (len(rows) - 1 - row)
        places += [(left + step * index, top) for index in range(cards)]
    return places


def _stock(deal: Deal) -> str:
    """Return the stock on the open trump, and how many cards it has; the suit alone at its end."""
    x, y = 262, 300
    if not deal.stock_size:
        return suit_sign(deal.trump, x + 4, y + 20, 44) + words(
            "no stock", x + 26, y + 108, size=14
        )
    drawn = ""
    if deal.trump_card is not None:
        drawn += face(deal.trump_card, x + 24, y, turn=90)
    layers = min(deal.stock_size - (deal.trump_card is not None), 4)
    drawn += "".join(back(x - 2 * layer, y - 2 * layer) for layer in range(layers))
    return (
        drawn
        + words(str(deal.stock_size), x + 30, y + 108)
        + suit_sign(deal.trump, x + 50, y + 95, 15)
    )


def _bout(table: Sequence[TablePair]) -> str:
    """Return the attack cards in two rows, covers askew on top."""
    columns = max(_PAIRS_IN_ROW, (len(table) + 1) // 2)
    cell = 306 / columns
    scale = min(1.0, cell / 98)
    rows = 1 if len(table) <= columns else 2
    drawn = []
    for index, pair in enumerate(table):
        row, column = divmod(index, columns)
        in_row = min(columns, len(table) - row * columns)
        x = 556 + cell * (column - in_row / 2) + 4
        y = 350 + 142 * (row - rows / 2) + 16
        drawn.append(face(pair.attack, x, y, scale))
        if pair.cover is not None:
            drawn.append(face(pair.cover, x + 22 * scale, y + 26 * scale, scale, turn=9))
    return "".join(drawn)


def _discard(deal: Deal) -> str:
    if not deal.discard_size:
        return ""
    turns = (-14, 9, -4)[: min(deal.discard_size, 3)]
    heap = "".join(back(746 - 4 * index, 190, 0.62, turn) for index, turn in enumerate(turns))
    return heap + words(f"{deal.discard_size} discarded", 760, 262, size=13, ink=FADED)
