"""A whole deal as one SVG: the hands as dealt, then bout after bout."""

from collections.abc import Callable, Iterable, Iterator

from durak_client.cards import Card
from durak_client.cli.choices import sorted_hand
from durak_client.events import BoutOutcome
from durak_client.pictures.bout_story import BoutStory, DealStory
from durak_client.pictures.svg_card import face, suit_sign
from durak_client.pictures.svg_words import AMBER, CORAL, CREAM, FADED, SKY, sheet, words

_WIDTH = 1000
_COLUMNS = 2
_CELL = 476
_SCALE = 0.55
_ROW = 92
_PAIR = 56
_PAIRS_IN_LINE = 6

_ENDS = {
    BoutOutcome.BEATEN: ("beaten", SKY),
    BoutOutcome.TAKEN: ("taken", CORAL),
    BoutOutcome.VOID: ("void", FADED),
}


def deal_picture(story: DealStory, name_of: Callable[[int], str], title: str) -> str:
    """Return the deal as an SVG file; `name_of` gives the name of a seat."""
    parts = [words(title, 24, 40, size=22, anchor="start"), _trump(story)]
    y = 60.0
    for seat, hand in zip(story.started.seats, story.started.dealt_hands, strict=False):
        parts.append(_dealt(name_of(seat), sorted_hand(hand, story.started.trump), y))
        y += 56
    for bouts in _rows(story.bouts):
        y += 16
        parts += (_bout(bout, name_of, 24 + _CELL * at, y) for at, bout in enumerate(bouts))
        y += max(map(_height, bouts))
    parts.append(words(_result(story, name_of), 24, y + 34, size=18, ink=AMBER, anchor="start"))
    return sheet(_WIDTH, int(y) + 60, title, "\n".join(parts))


def _trump(story: DealStory) -> str:
    return words("trump", 920, 40, ink=FADED, anchor="end") + suit_sign(
        story.started.trump, 932, 20, 26
    )


def _dealt(name: str, hand: Iterable[Card], y: float) -> str:
    cards = "".join(face(card, 190 + 38 * at, y, _SCALE) for at, card in enumerate(hand))
    return words(name, 24, y + 30, anchor="start") + cards


def _rows(bouts: list[BoutStory]) -> Iterator[list[BoutStory]]:
    for first in range(0, len(bouts), _COLUMNS):
        yield bouts[first : first + _COLUMNS]


def _lines(bout: BoutStory) -> int:
    return max(1, -(-len(bout.covers) // _PAIRS_IN_LINE))


def _height(bout: BoutStory) -> float:
    return 24 + (_ROW - 24) * _lines(bout)


def _bout(bout: BoutStory, name_of: Callable[[int], str], x: float, y: float) -> str:
    end, ink = _ENDS.get(bout.outcome, ("", CREAM))
    said = f"{bout.number}. {name_of(bout.leader)} → {name_of(bout.defender)}"
    frame = (
        f'<rect x="{x:g}" y="{y:g}" width="{_CELL - 12}" height="{_height(bout) + 8:g}" rx="10"'
        ' fill="#000" fill-opacity="0.27"/>'
    )
    heading = words(said, x + 12, y + 20, size=14, anchor="start")
    outcome = words(end, x + _CELL - 24, y + 20, size=14, ink=ink, anchor="end")
    return frame + heading + outcome + "".join(_pairs(bout, x + 12, y + 27))


def _pairs(bout: BoutStory, x: float, y: float) -> Iterator[str]:
    for at, (attack, cover) in enumerate(bout.covers.items()):
        line, place = divmod(at, _PAIRS_IN_LINE)
        left, top = x + (_PAIR + 18) * place, y + (_ROW - 24) * line
        yield face(attack, left, top, _SCALE)
        if cover is not None:
            yield face(cover, left + 24, top + 10, _SCALE, turn=8)


def _result(story: DealStory, name_of: Callable[[int], str]) -> str:
    if story.result is None:
        return "not played out"
    fools = " and ".join(map(name_of, story.result.fools))
    return f"Fool: {fools}" if fools else "A draw: nobody is the fool"
