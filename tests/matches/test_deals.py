"""Who deals and who leads, deal after deal (rules.md, 2.6 to 2.9)."""

from dataclasses import replace
from itertools import pairwise

import pytest

from durak_server.matches import (
    LeaveMatch,
    MakeMove,
    MatchFinished,
    MatchRefusal,
    MatchStatus,
    StartMatch,
)
from durak_server.rules import (
    DealEnded,
    DealEndReason,
    DealStarted,
    Move,
    MoveKind,
    NextLeader,
    Reason,
    RedealClaimed,
    RedealRight,
    RuleSet,
    Teams,
    deck_cards,
    next_dealer,
    next_leader,
    start_deal,
)
from tests.matches.tabletop import Tabletop, full_table, join_command, playing_table

CLAIM = Move(MoveKind.CLAIM_REDEAL)


def deals_of(table: Tabletop) -> list[tuple[DealStarted, DealEnded]]:
    """Return how each deal of a match that was played out began and ended."""
    events = [record.event for record in table.history.records(0)]
    starts = [event for event in events if isinstance(event, DealStarted)]
    ends = [event for event in events if isinstance(event, DealEnded)]
    return list(zip(starts, ends, strict=True))


@pytest.mark.parametrize("option", list(NextLeader))
def test_the_deal_before_tells_who_deals_and_leads(option: NextLeader) -> None:
    rules = RuleSet(seats=3, deals=6, next_leader=option)
    table = playing_table(rules, seed=8)
    list(table.moves_until_over())
    deals = deals_of(table)
    assert len(deals) == 6
    for (before, result), (deal, _) in pairwise(deals):
        dealer = next_dealer(rules, result, before.dealer)
        position, _ = start_deal(rules, deal.order, dealer, next_leader(rules, result))
        assert (deal.dealer, deal.leader) == (dealer, position.leader)


def test_the_owner_deals_first() -> None:
    table = full_table(RuleSet(seats=3))
    table.do(LeaveMatch("p0", ""))
    assert table.match.owner_id == "p1"
    table.do(join_command(0))
    *_, dealt, _ = table.do(StartMatch("p1", ""))
    assert isinstance(dealt, DealStarted)
    assert dealt.dealer == 1


def test_fools_are_counted_over_all_deals() -> None:
    table = playing_table(RuleSet(seats=3, deals=7), seed=2)
    *_, last_move = table.moves_until_over()
    fools = [seat for _, ended in deals_of(table) for seat in ended.fools]
    expected = tuple(fools.count(seat) for seat in range(3))
    assert table.match.times_fool == expected
    assert last_move[-1] == MatchFinished(expected)


def test_without_a_number_of_deals_the_match_goes_on_until_somebody_leaves() -> None:
    table = playing_table(RuleSet(seats=2, deals=0), seed=4)
    while table.match.deal < 12:
        table.move_at_random()
    assert table.match.status is MatchStatus.PLAYING
    assert isinstance(table.do(LeaveMatch("p0", ""))[-1], MatchFinished)


def redealing_table(rules: RuleSet, dealer: int) -> Tabletop:
    """Return a match whose second deal is dealt by that seat, and gave seat 0 six spades."""
    rules = replace(rules, deals=2, redeal_right=RedealRight.SIX_SAME_SUIT)
    for seed in range(100):
        table = playing_table(rules, seed)
        table.next_deal(six_spades_for_seat_0(rules.seats, dealer))
        while table.match.deal == 1:
            table.move_at_random()
        assert table.match.dealt
        if table.match.dealt.dealer == dealer:
            return table
    raise AssertionError("no first deal makes that seat the dealer")


def six_spades_for_seat_0(seats: int, dealer: int) -> tuple[int, ...]:
    """Return an order that gives them to seat 0 if that seat deals."""
    deck = deck_cards(36)
    hands = [deck[6 * seat : 6 * seat + 6] for seat in range(seats)]
    clockwise = [hands[(dealer + 1 + place) % seats] for place in range(seats)]
    dealt = [card for round_of_cards in zip(*clockwise, strict=True) for card in round_of_cards]
    return (*dealt, *deck[6 * seats :])


@pytest.mark.parametrize(
    ("rules", "dealer"),
    [
        (RuleSet(seats=2), 0),
        (RuleSet(seats=2), 1),
        # Without a single fool the deal goes on to the next seat, but not once more by a claim.
        (RuleSet(seats=4, teams=Teams.ALTERNATE), 1),
    ],
)
def test_a_claimed_deal_is_dealt_anew_by_the_same_dealer_under_the_same_number(
    rules: RuleSet, dealer: int
) -> None:
    table = redealing_table(rules, dealer)
    result = table.match.last_result
    claimed, ended, dealt, _ = table.move(0, CLAIM)
    assert claimed == RedealClaimed(0, deck_cards(36)[:6])
    assert ended == DealEnded((), (), 0, DealEndReason.REDEAL)
    assert isinstance(dealt, DealStarted)
    assert dealt.dealer == dealer
    assert (table.match.deal, table.match.deals_played) == (2, 1)
    assert table.match.last_result == result


def test_a_first_deal_that_is_claimed_is_dealt_anew_as_the_first() -> None:
    table = full_table(RuleSet(seats=2, redeal_right=RedealRight.SIX_SAME_SUIT))
    table.next_deal(six_spades_for_seat_0(2, dealer=0))
    table.do(StartMatch("p0", ""))
    *_, dealt, _ = table.move(0, CLAIM)
    assert isinstance(dealt, DealStarted)
    position, _ = start_deal(table.match.rules, dealt.order, dealer=0, leader=None)
    assert (dealt.dealer, dealt.leader) == (0, position.leader)
    assert (table.match.deal, table.match.deals_played) == (1, 0)


def test_a_claimed_deal_counts_for_nobody_and_the_match_is_still_played_out() -> None:
    table = redealing_table(RuleSet(seats=2), 0)
    table.move(0, CLAIM)
    list(table.moves_until_over())
    assert (table.match.deal, table.match.deals_played) == (2, 2)
    fools = [seat for _, ended in deals_of(table) for seat in ended.fools]
    assert table.match.times_fool == (fools.count(0), fools.count(1))


def test_after_somebody_left_nobody_claims_a_new_deal() -> None:
    rules = RuleSet(seats=3, deals=2, redeal_right=RedealRight.SIX_SAME_SUIT)
    table = full_table(rules)
    deck = deck_cards(36)
    # p0 deals, so seat 1 gets the first card, seat 2 the second and seat 0 the third.
    hands = zip(deck[6:12], deck[12:18], deck[:6], strict=True)
    table.next_deal((*(card for hand in hands for card in hand), *deck[18:]))
    table.do(StartMatch("p0", ""))
    table.do(LeaveMatch("p1", ""))
    assert table.ask(MakeMove("p0", "", CLAIM)) == MatchRefusal(Reason.REDEAL_TOO_LATE)
