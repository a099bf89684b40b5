"""The table as a terminal draws it: seats, stock and bout."""

from collections.abc import Sequence
from datetime import datetime

from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from durak_client.cli import words
from durak_client.cli.card_drawing import BACK, face, pair_rows, stock_rows
from durak_client.matches import PlayerKind, Presence
from durak_client.view import Deal, TablePair, View

_STOCK_WIDTH = 14
_DRAWN_PAIRS = 6
_BACKS_SHOWN = 8


def seats_drawing(
    view: View, deal: Deal, width: int, now: datetime | None = None
) -> RenderableType:
    """Return everyone but the viewer, clockwise from his left; everyone for a spectator."""
    order = seats_from(view)
    grid = Table.grid(expand=False)
    for _ in order:
        grid.add_column(width=min(width // len(order), 27))
    grid.add_row(*(_seat_drawing(view, deal, seat, now) for seat in order))
    return grid


def seats_from(view: View) -> list[int]:
    """Return the seats in the order in which the viewer sees them."""
    seats = [seat.seat for seat in view.seats]
    if view.seat is None:
        return seats
    mine = seats.index(view.seat)
    return seats[mine + 1 :] + seats[:mine]


def _seat_drawing(view: View, deal: Deal, number: int, now: datetime | None) -> RenderableType:
    player, seat = deal.seat(number), view.seats[number]
    style = "yellow" if player and player.may_act else "grey50"
    size = player.hand_size if player else 0
    backs = Text.assemble(("▮" * min(size, _BACKS_SHOWN), BACK), (f" {size}", "bold"))
    role = words.role_in_words(deal, number)
    if seat.has_left:
        role = "left"
    elif seat.presence == Presence.AWAY:
        role = f"away, {role}" if role else "away"
    marks = [role] if role else []
    if player and player.may_act and deal.phase.is_known:
        marks.append(f"to act {words.time_left(deal, number, now)}".rstrip())
    title = Text(view.name_of(number), "bold" if style == "yellow" else "")
    if seat.kind == PlayerKind.BOT:
        title.append(" bot", "dim")
    return Panel(
        Text("\n").join([backs, Text(", ".join(marks), style)]),
        title=title,
        title_align="left",
        border_style=style,
        height=4,
        padding=(0, 1),
    )


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
