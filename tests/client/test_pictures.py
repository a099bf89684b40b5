"""Pictures of tables and deals, compared with those drawn before and looked at."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from durak_client.cards import JOKERS, Card, Suit
from durak_client.events import (
    BoutOutcome,
    BoutStarted,
    DealStarted,
    Event,
    Fact,
    Led,
    Retracted,
    Shown,
)
from durak_client.local.file_replay import FileReplay
from durak_client.pictures.bout_story import deal_story
from durak_client.pictures.svg_card import back, face
from durak_client.pictures.svg_deal import deal_picture
from durak_client.pictures.svg_table import table_picture
from tests.client.tables import DEAL_OVER, DEFENCE, INFO, LEAD, LOBBY, LONG_BOUT, cards

FOLDER = Path(__file__).parent / "pictures"
RECORDED = Path(__file__).parents[1] / "recorded"
OUTSIDE = re.compile(r"@import|@font-face|url\((?!#)|(?:href|src)=\"(?!#)|<image|<script")

TABLES = {"defence": DEFENCE, "lead": LEAD, "long_bout": LONG_BOUT, "deal_over": DEAL_OVER}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_drawn_as_before(name: str) -> None:
    picture = table_picture(TABLES[name], f"Podkidnoy · {name}")
    assert picture == (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


async def test_a_deal_is_drawn_as_before() -> None:
    file = FileReplay.read(RECORDED / "perevodnoy.json")
    view = await file.view_at(file.replay.last)
    story = deal_story(file.replay.events, 1)
    assert story
    picture = deal_picture(story, view.name_of, "Perevodnoy · deal 1")
    assert picture == (FOLDER / "deal.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.svg")), ids=lambda file: file.stem)
def test_a_picture_is_svg_that_loads_nothing(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert ET.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert OUTSIDE.search(text) is None


@pytest.mark.parametrize("seats", range(2, 7))
async def test_any_number_of_seats_fits_on_the_sheet(seats: int) -> None:
    deal = DEFENCE.deal
    assert deal
    many = tuple(replace(deal.seats[0], seat=number, hand_size=6) for number in range(seats))
    players = tuple(replace(DEFENCE.seats[0], seat=number) for number in range(seats))
    view = replace(DEFENCE, seats=players, deal=replace(deal, seats=many, table=()))
    picture = table_picture(view, "")
    at = re.findall(r'<g transform="translate\(([\d.]+) ([\d.]+)\)', picture)
    assert len(at) == 6 * seats + 1 + 4 + 3  # hands, the open trump, the stock, the discard
    assert all(0 <= float(x) <= 960 and 0 <= float(y) <= 640 for x, y in at)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("size", [12, 16, 22])
async def test_a_long_hand_can_be_read(seats: int, size: int) -> None:
    deal = DEFENCE.deal
    assert deal
    hand = tuple(Card(16 * suit + rank) for suit in (1, 2) for rank in range(4, 15))[:size]
    long = replace(deal.seats[0], hand=hand, hand_size=size)
    none = replace(long, hand=(), known_cards=(), hand_size=0)
    players = tuple(replace(DEFENCE.seats[0], seat=number) for number in range(seats))
    for holder in range(seats):
        hands = [replace(long if n == holder else none, seat=n) for n in range(seats)]
        still = replace(deal, seats=tuple(hands), table=(), stock_size=0, discard_size=0)
        picture = table_picture(replace(DEFENCE, seats=players, deal=still), "")
        at = re.findall(r'<g transform="translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)', picture)
        cards = [tuple(map(float, card)) for card in at]
        assert len(cards) == size
        steps = [(b[0] - a[0]) / a[2] for a, b in pairwise(cards) if a[1] == b[1]]
        assert min(steps) >= 15  # a rank of one character is as wide, before it is scaled


def test_the_discard_lies_beside_the_bout() -> None:
    picture = table_picture(DEFENCE, "")
    (label,) = re.findall(r'<text x="(\d+)" y="262"', picture)
    assert int(label) - 45 >= 705  # half of "20 discarded", and the covers of three in a row


def test_a_name_cannot_break_the_picture() -> None:
    seat = replace(DEFENCE.seats[0], name='<script>&"')
    picture = table_picture(replace(DEFENCE, seats=(seat, *DEFENCE.seats[1:])), "</svg>")
    assert OUTSIDE.search(picture) is None
    texts = [element.text for element in ET.fromstring(picture).iter()]
    assert '<script>&", defends' in texts
    assert texts.count("</svg>") == 2


def test_hidden_cards_lie_face_down() -> None:
    picture = table_picture(DEFENCE, "")
    deal = DEFENCE.deal
    assert deal
    open_cards = [*DEFENCE.hand, *cards("9S 7S 9D 6H")]
    assert picture.count("</text>") - picture.count("sans-serif") == len(open_cards)
    assert picture.count("url(#lattice)") == 5 + 4 + 4 + 3


def test_jokers_have_a_star_and_no_rank() -> None:
    for number in JOKERS:
        assert 'href="#joker"' in face(Card(number), 0, 0)
        assert "></text>" in face(Card(number), 0, 0)
    assert "href" not in back(0, 0)


def test_before_the_first_deal_there_is_no_table() -> None:
    with pytest.raises(ValueError, match="no cards have been dealt"):
        table_picture(LOBBY, "")


def test_a_story_follows_transfers_by_showing_and_cards_taken_back() -> None:
    seven, eight = cards("7S 8S")
    dealt = DealStarted(1, 0, 0, Suit.HEARTS, None, 0, (), (0, 1, 2))
    facts: tuple[Fact, ...] = (
        dealt,
        BoutStarted(0, 1, 6),
        Led(0, (seven,)),
        Shown(1, Card.parse("7H"), 2, 6),
        Led(0, (eight,)),
        Retracted(0, eight),
        replace(dealt, deal=2),
        BoutStarted(1, 2, 6),
    )
    events = [Event(number, INFO.created_at, fact) for number, fact in enumerate(facts, 1)]
    story = deal_story(events, 1)
    assert story
    (bout,) = story.bouts
    assert (bout.leader, bout.defender, bout.covers) == (0, 2, {seven: None})
    assert (bout.outcome, story.result) == (BoutOutcome.UNSPECIFIED, None)
    assert "not played out" in deal_picture(story, str, "")
    assert deal_story(events, 3) is None
