"""The table in plain lines: no colours, cards in ASCII."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from durak_client.cards import Card
from durak_client.cli import words
from durak_client.cli.choices import choices, sorted_hand
from durak_client.cli.words import cards_in_words, move_in_words
from durak_client.matches import MatchInfo, Seat
from durak_client.view import Deal, TablePair, View


def code(card: Card) -> str:
    """Return a card in ASCII."""
    return card.code


def lines_of_turn(view: View, now: datetime | None = None) -> Iterator[str]:
    """Yield what a player needs for his move: the table, his hand and the moves by number."""
    if view.deal is not None:
        yield from lines_of_table(view, view.deal)
        if view.seat is not None and (left := words.time_left(view.deal, view.seat, now)):
            yield f"Your time: {left}"
    yield f"Your hand: {cards_in_words(sorted_hand(view.hand, view.trump), code)}"
    for choice in choices(view):
        yield f"  {choice.number}. {move_in_words(choice.move, code)}"


def lines_of_table(view: View, deal: Deal) -> Iterator[str]:
    """Yield who holds how many cards, the stock and the bout."""
    trump = words.SUITS.get(deal.trump, deal.trump.word)
    others = [
        f"{view.name_of(seat.seat)} {seat.hand_size}"
        for seat in deal.seats
        if seat.seat != view.seat
    ]
    yield f"Cards: {', '.join(others)}. Stock {deal.stock_size}. Trump {trump}."
    if deal.table:
        yield f"Table: {', '.join(map(_pair, deal.table))}"


def lines_of_lobby(info: MatchInfo, seats: Sequence[Seat], elsewhere: str) -> Iterator[str]:
    """Yield who sits at a match that has not started, and how others join it."""
    names = [_seat(seat) for seat in seats]
    yield f"{info.preset.word.capitalize()} for {len(seats)}: {', '.join(names)}."
    found_by = info.invite_code or info.match_id
    yield words.OPEN_SEATS.format(code=found_by, elsewhere=elsewhere)


def _seat(seat: Seat) -> str:
    return (seat.name or words.FREE_SEAT) + (words.READY if seat.is_ready else "")


def _pair(pair: TablePair) -> str:
    if pair.cover is None:
        return f"{code(pair.attack)} uncovered"
    return f"{code(pair.attack)} covered by {code(pair.cover)}"
