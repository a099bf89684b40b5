from random import Random

import pytest

from durak_server.rules import (
    BoutStarted,
    Card,
    DealEnded,
    DealEndReason,
    DealStarted,
    NextLeader,
    Position,
    RuleSet,
    Teams,
    apply,
    card_name,
    cards_of,
    deck_cards,
    next_dealer,
    next_leader,
    parse_card,
    preset,
    start_deal,
    view,
)


def order_of(first: str, deck: int = 36) -> tuple[Card, ...]:
    """Return the deck with the cards of `first` on top, the others after them."""
    top = [parse_card(name) for name in first.split()]
    return (*top, *(card for card in deck_cards(deck) if card not in top))


def names(position: Position, seat: int) -> set[str]:
    return {card_name(card) for card in cards_of(position.hands[seat])}


TWO_HANDS = "6S 6H 7S 7H 8S 8H 9S 9H TS TH JS JH AD"


def test_six_cards_each_one_at_a_time_from_the_dealers_left() -> None:
    position, events = start_deal(RuleSet(), order_of(TWO_HANDS), dealer=0)
    assert names(position, 1) == {"6S", "7S", "8S", "9S", "TS", "JS"}
    assert names(position, 0) == {"6H", "7H", "8H", "9H", "TH", "JH"}
    assert events == (
        DealStarted(order_of(TWO_HANDS), 0, position.leader),
        BoutStarted(position.leader, 1 - position.leader, 6),
    )


def test_who_is_not_at_the_table_any_more_gets_no_cards_and_does_not_play() -> None:
    position, events = start_deal(RuleSet(seats=4), order_of(TWO_HANDS), 0, seats=(3, 0))
    assert names(position, 3) == {"6S", "7S", "8S", "9S", "TS", "JS"}
    assert names(position, 0) == {"6H", "7H", "8H", "9H", "TH", "JH"}
    assert (position.hands[1:3], position.in_play, len(position.stock)) == ([0, 0], 0b1001, 24)
    assert events == (
        DealStarted(order_of(TWO_HANDS), 0, 3, (0, 3)),  # no trump is held: the lowest card leads
        BoutStarted(3, 0, 6),
    )
    assert apply(apply(None, events[0], RuleSet(seats=4)), events[1], RuleSet(seats=4)) == position


def test_if_all_are_dealt_in_nobody_need_be_named() -> None:
    named = start_deal(RuleSet(seats=3), order_of(TWO_HANDS), 0, 1, (0, 1, 2))
    assert named == start_deal(RuleSet(seats=3), order_of(TWO_HANDS), 0, 1)


@pytest.mark.parametrize(
    ("rules", "dealer", "leader", "seats", "problem"),
    [
        (RuleSet(seats=4), 1, None, (0, 2, 3), "no such seat"),
        (RuleSet(seats=4), 0, 1, (0, 2, 3), "no such seat"),
        (RuleSet(seats=4), 0, None, (0, 2, 4), "no such seat"),
        (RuleSet(seats=4), 0, None, (0,), "too few seats"),
        (RuleSet(seats=4, teams=Teams.ALTERNATE), 0, None, (0, 1, 2), "too few seats"),
    ],
)
def test_dealer_and_leader_are_dealt_in_and_so_are_two_at_least_and_whole_teams(
    rules: RuleSet, dealer: int, leader: int | None, seats: tuple[int, ...], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        start_deal(rules, order_of(TWO_HANDS), dealer, leader, seats)


def test_two_at_a_time_if_so_agreed() -> None:
    position, _ = start_deal(RuleSet(deal_step=2), order_of(TWO_HANDS), dealer=1)
    assert names(position, 0) == {"6S", "6H", "8S", "8H", "TS", "TH"}
    assert names(position, 1) == {"7S", "7H", "9S", "9H", "JS", "JH"}


def test_the_next_card_names_the_trump_and_is_drawn_last() -> None:
    position, _ = start_deal(RuleSet(), order_of(TWO_HANDS), dealer=0)
    assert (position.trump, card_name(position.trump_card)) == (2, "AD")
    assert position.stock == (*order_of(TWO_HANDS)[13:], parse_card("AD"))


def test_a_whole_deck_dealt_shows_its_last_card_which_stays_in_hand() -> None:
    """Fault elsewhere: six players and 36 cards leave no trump card, and the start crashed."""
    order = order_of("")
    position, _ = start_deal(RuleSet(seats=6), order, dealer=2)
    last = order[-1]
    assert (position.stock, position.trump_card) == ((), last)
    assert position.trump == 3
    assert last in cards_of(position.hands[2])
    assert view(position, None).known == ((), (), (last,), (), (), ())


def test_diamonds_are_trumps_without_a_card_turned_up() -> None:
    position, _ = start_deal(preset("japanese"), order_of(TWO_HANDS), dealer=0)
    assert (position.trump, position.trump_card) == (2, -1)
    assert position.stock == order_of(TWO_HANDS)[12:]


def test_a_joker_turned_up_goes_into_the_middle_of_the_stock() -> None:
    rules = preset("podkidnoy", deck=54, jokers="COLOUR")
    order = order_of(f"{TWO_HANDS.removesuffix(' AD')} JKR JKB AD", 54)
    position, _ = start_deal(rules, order, dealer=0)
    rest = order[15:]
    assert card_name(position.trump_card) == "AD"
    assert position.stock == (*rest[:19], order[12], order[13], *rest[19:], order[14])


# top of the deck (P1, P0, P1 ...), dealer, leader
FIRST_LEADERS = [
    ("6S 7D 7S 8D 8S 9D 9S TD TS JD JS QD AD", 0, 0),  # P0 alone has trumps
    ("6S 7D 7S 8D 8S 9D 9S TD 6D JD JS QD AD", 0, 1),  # the lower trump
    ("6S 7H 7S 8H 8S 9H 9S TH TS JH JS QH AD", 0, 1),  # no trumps: the lowest card
    ("6S 6H 7S 8H 8S 9H 9S TH TS JH JS QH AD", 0, 1),  # a tie: left of the dealer
    ("6S 6H 7S 8H 8S 9H 9S TH TS JH JS QH AD", 1, 0),
]


@pytest.mark.parametrize(("top", "dealer", "leader"), FIRST_LEADERS)
def test_the_lowest_trump_leads_first(top: str, dealer: int, leader: int) -> None:
    position, _ = start_deal(RuleSet(), order_of(top), dealer)
    assert (position.leader, position.defender) == (leader, 1 - leader)


def test_the_holder_of_the_lowest_trump_need_not_lead_it() -> None:
    position, _ = start_deal(RuleSet(), order_of(TWO_HANDS), dealer=0, leader=1)
    leads = {card for group in view(position, 1).legal_moves for card in cards_of(group.cards)}
    assert leads == set(cards_of(position.hands[1]))


def test_everything_follows_from_the_order_of_the_deck() -> None:
    """Fault elsewhere: cards drawn at random afterwards, trump read before the shuffle."""
    order = list(deck_cards(36))
    Random(5).shuffle(order)
    assert start_deal(RuleSet(seats=4), order, 3) == start_deal(RuleSet(seats=4), order, 3)


WRONG_ORDERS = [
    order_of("")[:35],
    (*order_of("")[:35], 0),
    (*order_of("")[:35], 4),
    order_of("", 52),
]


@pytest.mark.parametrize("order", WRONG_ORDERS)
def test_only_the_whole_deck_is_dealt(order: tuple[Card, ...]) -> None:
    with pytest.raises(ValueError, match="not a permutation"):
        start_deal(RuleSet(), order, 0)


@pytest.mark.parametrize(("dealer", "leader"), [(2, None), (-1, None), (0, 2), (0, -1)])
def test_dealer_and_leader_have_a_seat(dealer: int, leader: int | None) -> None:
    with pytest.raises(ValueError, match="no such seat"):
        start_deal(RuleSet(), order_of(""), dealer, leader)


def ended(*fools: int) -> DealEnded:
    reason = DealEndReason.FOOL if fools else DealEndReason.DRAW
    return DealEnded(fools, (), 0, reason)


# option, result, seats that left, who leads next (None: the lowest trump)
NEXT_LEADERS = [
    (NextLeader.LOWEST_TRUMP, ended(1), (), None),
    (NextLeader.LEFT_OF_FOOL, ended(1), (), 2),
    (NextLeader.LEFT_OF_FOOL, ended(3), (), 0),
    (NextLeader.RIGHT_OF_FOOL, ended(1), (), 0),
    (NextLeader.RIGHT_OF_FOOL, ended(0), (), 3),
    (NextLeader.FOOL, ended(1), (), 1),
    (NextLeader.FOOL, ended(), (), None),  # after a draw
    (NextLeader.FOOL, ended(1), (1,), None),  # the fool left
    (NextLeader.FOOL, ended(1, 3), (3,), 1),  # one fool left, the other stayed
    (NextLeader.LEFT_OF_FOOL, ended(1), (2,), 3),
    (NextLeader.FOOL, ended(1, 3), (), None),  # a team: no one fool
]


@pytest.mark.parametrize(("option", "result", "left", "leader"), NEXT_LEADERS)
def test_who_leads_the_next_deal(
    option: NextLeader, result: DealEnded, left: tuple[int, ...], leader: int | None
) -> None:
    assert next_leader(RuleSet(seats=4, next_leader=option), result, left) == leader


DEALERS = [(ended(1), (), 1), (ended(), (), 3), (ended(1), (1,), 3), (ended(), (3,), 0)]


@pytest.mark.parametrize(("result", "left", "dealer"), DEALERS)
def test_the_fool_deals_next_else_the_dealers_left(
    result: DealEnded, left: tuple[int, ...], dealer: int
) -> None:
    assert next_dealer(RuleSet(seats=4), result, 2, left) == dealer
