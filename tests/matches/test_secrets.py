"""No viewer learns more than he may (rules.md, 10)."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings, strategies

from durak_server.matches import (
    MatchCreated,
    Record,
    SeenDealStarted,
    SeenDrew,
    SeenEvent,
    SeenMatchCreated,
    SeenRecord,
    Spectators,
    StartMatch,
    Visibility,
    match_view,
    visible,
    visible_record,
)
from durak_server.rules import (
    Card,
    DealStarted,
    Drew,
    Preset,
    RuleSet,
    Trump,
    cards_of,
    deck_cards,
    mask_of,
    parse_card,
)
from tests.matches.hidden import with_other_secrets
from tests.matches.random_matches import tables
from tests.matches.tabletop import INVITE_CODE, Tabletop, full_table, playing_table
from tests.rules.hidden import reshuffle_hidden

TWO = RuleSet(seats=2)
SEEDS = strategies.integers(0, 2**32)


def viewers(table: Tabletop) -> list[int | None]:
    return [None, *range(len(table.match.seats))]


@settings(max_examples=60)
@given(tables(), SEEDS)
def test_copies_of_events_do_not_depend_on_what_is_hidden(table: Tabletop, seed: int) -> None:
    random = Random(seed)
    history = table.history
    for seat in viewers(table):
        for record in history.records(0):
            dealt = history.dealt_at(record.sequence)
            other, other_dealt = with_other_secrets(record, dealt, seat, random)
            expected = visible_record(record, seat, dealt)
            assert visible_record(other, seat, other_dealt) == expected


@settings(max_examples=60)
@given(tables(), SEEDS)
def test_a_view_does_not_depend_on_what_is_hidden(table: Tabletop, seed: int) -> None:
    match = table.match
    assert match.position
    for seat in viewers(table):
        position = reshuffle_hidden(match.position, seat, Random(seed))
        other = replace(match, position=position, invite_code="OTHER")
        assert match_view(other, seat) == match_view(match, seat)


@settings(max_examples=40)
@given(tables())
def test_every_viewer_gets_every_event(table: Tabletop) -> None:
    records = table.history.records(0)
    for seat in viewers(table):
        seen = table.history.seen(0, seat)
        assert [(one.sequence, one.recorded_at) for one in seen] == [
            (record.sequence, record.recorded_at) for record in records
        ]


@settings(max_examples=40)
@given(tables())
def test_copies_name_no_card_that_their_viewer_has_not_seen(table: Tabletop) -> None:
    for seat in viewers(table):
        known: set[Card] = set()
        for record, copy in zip(table.history.records(0), table.history.seen(0, seat), strict=True):
            if isinstance(record.event, DealStarted):
                known = own_dealt_cards(table, record, seat)
            if isinstance(record.event, Drew) and record.event.seat == seat:
                known |= set(record.event.cards)
            assert dealt_or_drawn(copy.event) <= known


def own_dealt_cards(table: Tabletop, record: Record, seat: int | None) -> set[Card]:
    dealt = table.history.dealt_at(record.sequence)
    assert dealt
    own = set() if seat is None else set(cards_of(dealt.hands[seat]))
    return own | {dealt.position.trump_card}


def dealt_or_drawn(event: SeenEvent) -> set[Card]:
    """Return the cards that a copy tells of hands and stock; -1 where no trump was turned up."""
    match event:
        case SeenDealStarted(trump_card=None):
            return set(event.hand)
        case SeenDealStarted(trump_card=trump_card):
            return {*event.hand, trump_card or 0}
        case SeenDrew():
            return set(event.cards)
        case _:
            return set()


@settings(max_examples=30)
@given(tables())
def test_copies_and_views_never_name_the_invite_code_or_a_request(table: Tabletop) -> None:
    for seat in viewers(table):
        shown = repr((table.history.seen(0, seat), match_view(table.match, seat)))
        assert INVITE_CODE not in shown
        assert "request" not in shown


def names(*cards: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, cards))


def sorted_names(*cards: str) -> tuple[Card, ...]:
    return cards_of(mask_of(names(*cards)))


# p0 deals: seat 1 gets the first card, seat 0 the second, and so on; then 7H is turned up.
ORDER = names("6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS", "6C", "7C", "8C", "7H")
REST = tuple(card for card in deck_cards(36) if card not in ORDER)
HANDS = {
    0: sorted_names("7S", "9S", "JS", "KS", "6C", "8C"),
    1: sorted_names("6S", "8S", "TS", "QS", "AS", "7C"),
    None: (),
}


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_deal_shows_the_viewers_own_hand_and_the_open_trump(seat: int | None) -> None:
    table = full_table(TWO)
    table.next_deal((*ORDER, *REST))
    table.do(StartMatch("p0", ""))
    assert table.history.seen(4, seat)[0] == SeenRecord(
        5,
        table.match.updated_at,
        SeenDealStarted(
            deal=1,
            dealer=0,
            leader=1,
            trump=1,
            trump_card=parse_card("7H"),
            stock_size=24,
            hand=HANDS[seat],
            seats=(0, 1),
        ),
    )


def test_a_deal_without_an_open_card_shows_none() -> None:
    table = playing_table(RuleSet(seats=2, trump=Trump.DIAMONDS))
    dealt = table.history.seen(4, None)[0].event
    assert isinstance(dealt, SeenDealStarted)
    assert (dealt.trump, dealt.trump_card) == (2, None)


@pytest.mark.parametrize(
    ("seat", "drawn", "seen"),
    [
        (0, names("9D", "7H"), names("9D", "7H")),  # his own
        (1, names("9D", "7H"), names("7H")),  # the open trump, which everybody sees go
        (1, names("9D", "8D"), ()),
        (None, names("9D", "7H"), names("7H")),
        (None, names("9D"), ()),
    ],
)
def test_of_a_draw_others_see_the_number_and_the_open_trump(
    seat: int | None, drawn: tuple[Card, ...], seen: tuple[Card, ...]
) -> None:
    table = full_table(TWO)
    table.next_deal((*ORDER, *REST))
    table.do(StartMatch("p0", ""))
    copy = visible(Drew(0, drawn), seat, table.match.dealt)
    assert copy == SeenDrew(0, len(drawn), seen)


def test_the_copy_of_the_first_event_has_no_invite_code() -> None:
    created = MatchCreated(
        "m", Preset.ONLINE, TWO, "p0", Visibility.UNLISTED, Spectators.NONE, "SECRET", True
    )
    expected = SeenMatchCreated(Preset.ONLINE, TWO, "p0", Visibility.UNLISTED, Spectators.NONE)
    assert visible(created, 0, None) == expected
