"""What the terminal shows, row by row."""

import io
from dataclasses import replace

import pytest
from rich.console import Console
from rich.text import Text

from durak_client.cards import Card, Suit
from durak_client.cli.card_drawing import RED, face, stock_rows, with_red_suits
from durak_client.cli.plain_table import lines_of_turn
from durak_client.cli.scene import Page, Scene
from durak_client.cli.screen import draw
from durak_client.matches import MatchInfo, PlayerKind, Presence
from durak_client.view import View
from tests.client.tables import (
    DEAL_OVER,
    DEFENCE,
    INFO,
    LEAD,
    LOBBY,
    LONG_BOUT,
    TRANSFER,
    cards,
    seat,
    seat_view,
)

STORY = ("Galina attacks you.", "Galina leads 7♠.", "You beat 7♠ with 9♠.", "Galina throws in 9♦.")


def rows(
    view: View,
    *,
    page: Page = Page.TABLE,
    notice: str = "",
    typed: str = "",
    width: int = 80,
    height: int = 24,
    info: MatchInfo = INFO,
) -> list[str]:
    """Draw a scene on a screen, in one colour."""
    console = Console(width=width, height=height, file=io.StringIO(), color_system=None)
    scene = Scene(info=info, view=view, story=STORY, notice=notice, page=page)
    with console.capture() as captured:
        console.print(draw(scene, typed, width, height))
    return [row.rstrip() for row in captured.get().splitlines()]


def test_who_is_away_is_marked_beside_his_role() -> None:
    boris, galina = (replace(seat, presence=Presence.AWAY) for seat in DEFENCE.seats[1:])
    away = replace(DEFENCE, seats=(DEFENCE.seats[0], boris, galina))
    assert rows(away)[3] == "│ away, passed            ││ away, attacks, to act   │"


def test_a_partner_is_marked() -> None:
    teams = replace(INFO, rules={**INFO.rules, "teams": "ALTERNATE"})
    assert rows(DEFENCE, info=teams)[1] == (
        "╭─ Boris bot ─────────────╮╭─ Galina partner ────────╮"
    )


def test_six_seats_fit_a_narrow_screen() -> None:
    deal = DEFENCE.deal
    assert deal
    names = ("Vasya", "Agafya", "Varvara", "Gleb", "Darya", "Yegor")
    dealt = (
        seat_view(0, 6),
        seat_view(1, 12, may_act=True),
        seat_view(2, 0, is_out=True, place=2),
        seat_view(3, 9, has_passed=True),
        seat_view(4, 4),
        seat_view(5, 1),
    )
    view = replace(
        DEFENCE,
        seats=tuple(seat(number, name, PlayerKind.BOT) for number, name in enumerate(names)),
        deal=replace(deal, main_attacker=1, defender=4, seats=dealt),
    )
    assert rows(view, width=60)[1:4] == [
        "╭─ Agafya ─╮╭─ Varvara─╮╭─ Gleb ───╮╭─ Darya ──╮╭─ Yegor ──╮",
        "│ ▮▮▮▮▮ 12 ││ out      ││ ▮▮▮▮▮▮ 9 ││ ▮▮▮▮ 4   ││ ▮ 1      │",
        "│ attacks  ││ place 2  ││ passed   ││ defends  ││          │",
    ]
    assert rows(view)[3].startswith("│ attacks      ││ out, place 2 ││ passed ")


def test_a_table_is_drawn_with_covers_on_attack_cards_and_numbers_under_the_hand() -> None:
    assert rows(DEFENCE, notice="It is your turn.", typed="2") == [
        "Podkidnoy · deal 1 · bout 3 · you defend ───────────────────────────────────────",
        "╭─ Boris bot ─────────────╮╭─ Galina ────────────────╮",
        "│ ▮▮▮▮▮ 5                 ││ ▮▮▮▮ 4                  │",
        "│ passed                  ││ attacks, to act         │",
        "╰─────────────────────────╯╰─────────────────────────╯",
        "╭───╭───╮     ╭───╮     ╭───╮",
        "│▒▒▒│6♥ │     │7♠ ╭───╮ │9♦ │",
        "╰───╰───╯     ╰───│9♠ │ ╰───╯",
        "9 left ♥          ╰───╯",
        "",
        "Galina attacks you.",
        "Galina leads 7♠.",
        "You beat 7♠ with 9♠.",
        "Galina throws in 9♦.",
        "╭───╮ ╭───╮ ╭───╮ ╭───╮ ╭───╮ ╭───╮",
        "│10♠│ │Q♠ │ │J♦ │ │A♣ │ │7♥ │ │K♥ │",
        "╰───╯ ╰───╯ ╰───╯ ╰───╯ ╰───╯ ╰───╯",
        "              1           2     3",
        "Beat 9♦ with 1 J♦  2 7♥  3 K♥  4 Take",
        "It is your turn.",
        "Your move (number plays, several join cards, h help, q quit) > 2▏",
    ]


def test_moves_of_several_kinds_are_listed_by_kind() -> None:
    assert rows(TRANSFER)[14:] == [
        "╭───╮ ╭───╮ ╭───╮ ╭───╮ ╭───╮ ╭───╮",
        "│10♠│ │Q♠ │ │J♦ │ │A♣ │ │7♥ │ │K♥ │",
        "╰───╯ ╰───╯ ╰───╯ ╰───╯ ╰───╯ ╰───╯",
        "  1     2     3         4,5,6  7,8",
        "Beat 7♠ with 1 10♠  2 Q♠  4 7♥  7 K♥  Beat 7♦ with 3 J♦  5 7♥  8 K♥",
        "  Transfer with 6 7♥  9 Take",
        "",
        "Your move (number plays, several join cards, h help, q quit) > ▏",
    ]


def test_a_spectator_sees_every_seat_and_a_long_bout_in_words() -> None:
    assert rows(LONG_BOUT) == [
        "Podkidnoy · deal 1 · bout 3 ────────────────────────────────────────────────────",
        "╭─ Vasya ────────────────╮╭─ Boris bot ────────────╮╭─ Galina ───────────────╮",
        "│ ▮▮▮▮▮▮▮▮ 12            ││  0                     ││ ▮▮▮ 3                  │",
        "│ takes                  ││ out, place 1           ││ attacks                │",
        "╰────────────────────────╯╰────────────────────────╯╰────────────────────────╯",
        "╭───╮         7♠/9♠  9♦/J♦  J♠/Q♠  Q♣/K♣  K♦/6♥  6♣/8♣  8♥/?",
        "│6♥ │",
        "╰───╯",
        "1 left ♥",
        "",
        "Galina attacks you.",
        "Galina leads 7♠.",
        "You beat 7♠ with 9♠.",
        "Galina throws in 9♦.",
        "",
        "You watch. q quits. > ▏",
    ]


def test_the_end_of_a_deal_shows_places_and_no_stock() -> None:
    assert rows(DEAL_OVER)[:9] == [
        "Podkidnoy · deal 1 · bout 3 · you are out, place 1 ─────────────────────────────",
        "╭─ Boris bot ─────────────╮╭─ Galina ────────────────╮",
        "│ ▮▮▮ 3                   ││  0                      │",
        "│                         ││ out, place 2            │",
        "╰─────────────────────────╯╰─────────────────────────╯",
        "",
        "trump ♥",
        "no stock",
        "",
    ]


def test_an_open_match_shows_its_seats_and_how_friends_join() -> None:
    assert rows(LOBBY) == [
        "Podkidnoy for 3",
        "  1  Vasya",
        "  2  Boris (bot)",
        "  3  free seat",
        "",
        "Waiting for players. Others join with: durak play --join K7QM2A",
        "",
        "ready, unready; the owner: start, remove NUMBER; q quits. > ▏",
    ]


def test_help_explains_the_moves_of_the_moment() -> None:
    assert rows(DEFENCE, page=Page.HELP)[:4] == [
        "Help",
        "",
        "Beat: Cover an attack card by a higher card of its suit, or by a trump.",
        "Take: Give up: all cards of the bout come to your hand, and you miss your turn.",
    ]


@pytest.mark.parametrize(("width", "height", "most"), [(80, 24, 35), (60, 20, 30), (200, 60, 35)])
@pytest.mark.parametrize("part", [0, 0.2, 0.4, 0.6, 0.8, 1])
def test_any_hand_fits_the_screen(width: int, height: int, most: int, part: float) -> None:
    size = max(1, round(most * part))
    deck = [Card(16 * suit + rank) for suit in (1, 2, 3, 4) for rank in range(6, 15)]
    hand = " ".join(card.code for card in deck[:size])
    assert LEAD.deal is not None
    seats = (seat_view(0, size, hand, may_act=True), *LEAD.deal.seats[1:])
    lead = replace(LEAD.legal_moves[0], cards=cards(hand), max_cards=1)
    view = replace(LEAD, deal=replace(LEAD.deal, seats=seats), legal_moves=(lead,))
    drawn = rows(view, width=width, height=height)
    assert len(drawn) <= height
    assert max(map(len, drawn)) <= width
    assert "Your move (" in "\n".join(drawn)
    assert all(str(card) in "\n".join(drawn) for card in deck[:size])


def test_cards_of_red_suits_are_red_and_others_are_not() -> None:
    assert [face(card).style == RED for card in cards("7S 7H 7D 7C JKR JKB")] == [
        *(False, True, True, False),
        *(True, False),
    ]
    beside = stock_rows(9, Suit.HEARTS, Card.parse("KS"))[1]
    assert beside.get_style_at_offset(Console(), beside.plain.index("K")).color is None
    told = with_red_suits("You beat 10♥ with K♥, not 7♠.")
    assert [told.plain[span.start : span.end] for span in told.spans] == ["10♥", "K♥"]
    assert isinstance(told, Text)


def test_a_turn_is_told_in_plain_ascii_lines() -> None:
    assert list(lines_of_turn(DEFENCE)) == [
        "Cards: Boris 5, Galina 4. Stock 9. Trump hearts.",
        "Table: 7S covered by 9S, 9D uncovered",
        "Your hand: TS QS JD AC 7H KH",
        "  1. beat 9D with JD",
        "  2. beat 9D with 7H",
        "  3. beat 9D with KH",
        "  4. take",
    ]
