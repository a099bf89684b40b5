"""The table as a terminal draws it: seats, stock and bout."""

from collections.abc import Collection, Sequence
from datetime import datetime

from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from durak_client.cli import words
from durak_client.cli.card_drawing import BACK, face, pair_rows, stock_rows
from durak_client.matches import PlayerKind, Presence, Seat
from durak_client.view import Deal, TablePair, View

_STOCK_WIDTH = 14
_DRAWN_PAIRS = 6
_BACKS_SHOWN = 8
_WIDEST_SEAT = 27
_BOT, _PARTNER = " bot", " partner"


def seats_drawing(
    view: View,
    deal: Deal,
    width: int,
    now: datetime | None = None,
    partners: Collection[int] = (),
) -> RenderableType:
    """Return everyone but the viewer, clockwise from his left; everyone for a spectator."""
    order = seats_from(view)
    each = min(width // len(order), _WIDEST_SEAT)
    grid = Table.grid(expand=False)
    for _ in order:
        grid.add_column(width=each)
    grid.add_row(
        *(_seat_drawing(view, deal, seat, each, now, is_partner=seat in partners) for seat in order)
    )
    return grid


def seats_from(view: View) -> list[int]:
    """Return the seats in the order in which the viewer sees them."""
    seats = [seat.seat for seat in view.seats]
    if view.seat is None:
        return seats
    mine = seats.index(view.seat)
    return seats[mine + 1 :] + seats[:mine]


def _seat_drawing(
    view: View, deal: Deal, number: int, width: int, now: datetime | None, *, is_partner: bool
) -> RenderableType:
    player, seat = deal.seat(number), view.seats[number]
    may_act = player is not None and player.may_act
    style, room = "yellow" if may_act else "grey50", width - 4
    size = player.hand_size if player else 0
    first, role = _backs(size, room), _role(view, deal, number)
    if not size and len(role) > room:
        place, _, role = role.partition(", ")
        first = Text(place, style)
    due = words.time_left(deal, number, now) if may_act and deal.phase.is_known else None
    return Panel(
        Text("\n").join([first, Text(_state(role, due, room), style)]),
        title=_title(view, seat, room - 2, is_partner=is_partner),
        title_align="left",
        border_style=style,
        height=4,
        padding=(0, 1),
    )


def _title(view: View, seat: Seat, room: int, *, is_partner: bool) -> Text:
    """Return the name, and what else there is to say of the player if there is room."""
    player = view.deal.seat(seat.seat) if view.deal is not None else None
    style = "green" if is_partner else ""
    title = Text(view.name_of(seat.seat), f"bold {style}" if player and player.may_act else style)
    if is_partner and title.cell_len + len(_PARTNER) <= room:
        title.append(_PARTNER, "green")
    elif seat.kind == PlayerKind.BOT and title.cell_len + len(_BOT) <= room:
        title.append(_BOT, "dim")
    return title


def _backs(size: int, room: int) -> Text:
    """Return the backs of a hand, as many as there is room for, and how many cards it has."""
    number = f" {size}"
    shown = min(size, _BACKS_SHOWN, room - len(number))
    return Text.assemble(("▮" * shown, BACK), (number, "bold"))


def _role(view: View, deal: Deal, number: int) -> str:
    seat = view.seats[number]
    role = words.role_in_words(deal, number)
    if seat.has_left:
        return "left"
    if seat.presence == Presence.AWAY:
        return f"away, {role}" if role else "away"
    return role


def _state(role: str, due: str | None, room: int) -> str:
    """Return the role, and how long he has who must act (None: need not), as far as there is room.

    The frame shows as well who must act.
    """
    if due is None:
        return role
    long = ", ".join(filter(None, (role, f"to act {due}".rstrip())))
    short = ", ".join(filter(None, (role, due)))
    return next((said for said in (long, short) if len(said) <= room), role)


def bout_drawing(deal: Deal, width: int) -> RenderableType:
    """Return the stock and the cards on the table, four rows high."""
    rows = stock_rows(deal.stock_size, deal.trump, deal.trump_card)
    for row in rows:
        row.pad_right(max(_STOCK_WIDTH - row.cell_len, 0))
    fitting = min(_DRAWN_PAIRS, (width - _STOCK_WIDTH) // 10)
    if len(deal.table) > fitting:
        bout = _bout_in_words(deal.table, width - _STOCK_WIDTH)
    else:
        bout = [Text(), Text(), Text(), Text()]
        for pair in deal.table:
            for row, part in zip(bout, pair_rows(pair), strict=True):
                row.append_text(part).append(" ")
    both = zip(rows, bout, strict=True)
    return Text("\n").join(Text.assemble(left, right) for left, right in both)


def _bout_in_words(table: Sequence[TablePair], width: int) -> list[Text]:
    """Return four rows that name the pairs, for a bout too long to be drawn."""
    rows = [Text(), Text(), Text(), Text()]
    place = 0
    for pair in table:
        cover = face(pair.cover) if pair.cover is not None else Text("?", "dim")
        word = Text.assemble(face(pair.attack), ("/", "dim"), cover, "  ")
        if rows[place].cell_len + word.cell_len > width and place < len(rows) - 1:
            place += 1
        rows[place].append_text(word)
    return rows
