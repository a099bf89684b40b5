"""The screen of a replay, as a function of the place and the view there; made for 80 by 24."""

from collections.abc import Callable, Iterator

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from durak_client.cards import Card
from durak_client.cli import words
from durak_client.cli.card_drawing import face, hand_rows, with_red_suits
from durak_client.cli.choices import sorted_hand
from durak_client.cli.replay_place import Place
from durak_client.cli.table_drawing import bout_drawing, seats_drawing
from durak_client.cli.teller import Teller
from durak_client.replay import Replay
from durak_client.view import Deal, View

_ROWS_BESIDE_STORY = 17
_LONGEST_STORY = 12


def draw_replay(
    replay: Replay, place: Place, view: View, width: int, height: int
) -> RenderableType:
    """Return the screen."""
    parts: list[RenderableType] = [_title(replay, place, view)]
    if view.deal is not None:
        parts += (seats_drawing(view, view.deal, width), bout_drawing(view.deal, width))
    told = min(max(height - _ROWS_BESIDE_STORY, 2), _LONGEST_STORY)
    parts += _story(replay, place, view, told)
    if view.deal is not None and place.open_cards:
        parts += _open_hands(view, view.deal)
    elif view.seat is not None:
        hand = sorted_hand(view.hand, view.trump)
        parts.append(Text("\n").join(hand_rows(hand, {}, width)))
    hint = words.REPLAY_KEYS if replay.open_cards else words.REPLAY_KEYS_IN_PLAY
    return Group(*parts, Text(hint, "dim"))


def told(replay: Replay, sequence: int, view: View, show: Callable[[Card], str] = str) -> str:
    """Return the event as one sentence, empty for what the table shows anyway."""
    return Teller(view, view.seat, show).tell(replay.events[sequence - 1].fact)


def _title(replay: Replay, place: Place, view: View) -> RenderableType:
    where = f"event {place.sequence} of {replay.last}"
    deal = f" · deal {view.deal.number} · bout {view.deal.bout}" if view.deal is not None else ""
    cards = words.OPEN_CARDS if place.open_cards else _seen_from(view)
    title = f"{replay.info.preset.word.capitalize()}{deal} · {where} · {cards}"
    return Rule(Text(title, "bold"), style="grey50", align="left")


def _seen_from(view: View) -> str:
    who = words.A_SPECTATOR if view.seat is None else view.name_of(view.seat)
    return words.SEEN_BY.format(who=who)


def _story(replay: Replay, place: Place, view: View, rows: int) -> Iterator[Text]:
    """Yield so many rows, the event of the place last and brightest."""
    sentences: list[str] = []
    for sequence in range(place.sequence, 0, -1):
        if len(sentences) == rows:
            break
        if sentence := told(replay, sequence, view):
            sentences.insert(0, sentence)
    for _ in range(rows - len(sentences)):
        yield Text()
    for number, sentence in enumerate(sentences, 1):
        yield with_red_suits(sentence, "" if number == len(sentences) else "grey62")


def _open_hands(view: View, deal: Deal) -> Iterator[Text]:
    """Yield a row for each hand."""
    names = {seat.seat: view.name_of(seat.seat) for seat in deal.seats}
    widest = max(map(len, names.values()))
    for seat in deal.seats:
        row = Text.assemble((names[seat.seat].ljust(widest + 2), "bold"))
        for card in sorted_hand(seat.hand, view.trump):
            row.append_text(face(card)).append(" ")
        yield row
