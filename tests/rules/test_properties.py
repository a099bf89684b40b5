"""What holds in every deal under every rule set: played at random, checked at every step."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from durak_server.rules import (
    Event,
    Move,
    MoveGroup,
    MoveKind,
    Position,
    Refusal,
    RuleSet,
    apply,
    cards_of,
    check,
    count,
    deck_cards,
    expand,
    forfeit,
    format_position,
    legal_moves,
    mask_of,
    parse_position,
    play,
    start_deal,
    to_act,
)
from durak_server.rules.cards import rank_of, size_of
from durak_server.rules.ruletext import format_rules
from durak_server.rules.simulate import choose_uniformly
from tests.rules.rule_sets import TABLES, random_rules, seats_dealt_in

MOST_MOVES = 3000
"""No deal of any rule set may take more moves than this at random."""


def steps(rules: RuleSet, random: Random) -> Iterator[tuple[Position, tuple[Event, ...], Position]]:
    """Yield each step of a random deal: before, what happened, after.

    Now and then somebody acts who is not waited for, or leaves.
    """
    deck = list(deck_cards(rules.deck))
    random.shuffle(deck)
    seats = seats_dealt_in(rules, random)
    position, _ = start_deal(rules, deck, random.choice(seats), seats=seats)
    for _ in range(MOST_MOVES):
        if position.result is not None:
            return
        after, events = step(position, random)
        yield position, events, after
        position = after
    raise AssertionError(f"no end: {format_position(position)}")


def step(position: Position, random: Random) -> tuple[Position, tuple[Event, ...]]:
    seats = [seat for seat in range(position.law.seats) if legal_moves(position, seat)]
    if random.random() < 0.002:
        return forfeit(position, random.choice(seats))
    seat = random.choice(seats if random.random() < 0.3 else to_act(position))
    groups = [g for g in legal_moves(position, seat) if g.kind is not MoveKind.CLAIM_REDEAL]
    if not groups:
        return step(position, random)
    answer = play(position, choose_uniformly(position, seat, groups, random), seat)
    assert not isinstance(answer, Refusal), answer.text
    return answer


def all_cards(position: Position) -> list[int]:
    """Return every card of the position, as often as it is there."""
    masks = [position.discard, position.removed, position.on_table, *position.hands]
    masks += [cards for _, cards in position.dumps]
    return sorted([*position.stock, *(card for mask in masks for card in cards_of(mask))])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(min_value=0, max_value=2**32))
def test_deals_of_any_rule_set_keep_their_promises(seed: int) -> None:
    """Every deal ends; events fold to what was played and keep each card in one place."""
    random = Random(seed)
    rules = random_rules(random)
    for before, events, after in steps(rules, random):
        folded = before
        for event in events:
            folded = apply(folded, event, rules)
            assert all_cards(folded) == list(deck_cards(rules.deck)), event
        assert folded == after
        assert parse_position(format_position(after)) == after


@pytest.mark.parametrize("rules", TABLES, ids=format_rules)
def test_the_whole_log_folds_to_the_final_position(rules: RuleSet) -> None:
    random = Random(11)
    deck = list(deck_cards(rules.deck))
    random.shuffle(deck)
    position, opening = start_deal(rules, deck, 0)
    log = list(opening)
    while position.result is None:
        position, events = step(position, random)
        log.extend(events)
    folded: Position | None = None
    for event in log:
        folded = apply(folded, event, rules)
    assert folded == position


@pytest.mark.parametrize("rules", TABLES, ids=format_rules)
def test_playing_leaves_the_old_position_untouched(rules: RuleSet) -> None:
    random = Random(12)
    deck = list(deck_cards(rules.deck))
    random.shuffle(deck)
    position, _ = start_deal(rules, deck, 0)
    while position.result is None:
        line = format_position(position)
        after, _ = step(position, random)
        assert format_position(position) == line
        position = after


def conceivable(position: Position, random: Random) -> Iterator[Move]:
    """Yield every kind with every single card, every target, and sets of two and three."""
    deck = list(position.law.deck)
    few = random.sample(deck, 7)
    sets = [0, *(mask_of([card]) for card in deck)]
    sets += [mask_of(pair) for size in (2, 3) for pair in combinations(few, size)]
    for hand in position.hands:
        sets += [mask_of(pair) for pair in combinations(cards_of(hand)[:6], 2)]
    for kind in MoveKind:
        targets = [-1, *position.attacks, 99] if kind is MoveKind.BEAT else [-1, deck[0]]
        for cards in sets:
            for target in targets:
                yield Move(kind, cards, target)


def listed(groups: list[MoveGroup], move: Move) -> bool:
    return any(
        (group.kind, group.target) == (move.kind, move.target)
        and not move.cards & ~group.cards
        and group.min_cards <= size_of(move.cards) <= group.max_cards
        for group in groups
    )


@pytest.mark.parametrize("seed", range(24))
def test_exactly_the_listed_moves_are_allowed(seed: int) -> None:
    random = Random(seed)
    rules = TABLES[seed % len(TABLES)] if seed < len(TABLES) else random_rules(random)
    met = [before for before, _, _ in steps(rules, random)]
    for position in random.sample(met, min(len(met), 5)):
        for seat in range(rules.seats):
            groups = legal_moves(position, seat)
            for move in conceivable(position, random):
                refusal = check(position, seat, move)
                assert (refusal is None) is listed(groups, move), (refusal, move)
                assert refusal is None or refusal.text


def lowest_rank(group: MoveGroup) -> int:
    return min((rank_of(card) for card in cards_of(group.cards)), default=0)


@pytest.mark.parametrize("rules", TABLES, ids=format_rules)
def test_legal_moves_come_in_the_pinned_order_and_each_once(rules: RuleSet) -> None:
    for before, _, _ in steps(rules, Random(13)):
        for seat in range(rules.seats):
            groups = legal_moves(before, seat)
            keys = [(group.kind, group.target, lowest_rank(group)) for group in groups]
            assert keys == sorted(keys)
            moves = [move for group in groups if count(group) < 500 for move in expand(group)]
            assert len(moves) == len(set(moves))


@pytest.mark.parametrize("rules", TABLES, ids=format_rules)
def test_somebody_is_waited_for_until_the_end_and_can_act(rules: RuleSet) -> None:
    for before, _, _ in steps(rules, Random(14)):
        assert to_act(before)
        assert all(legal_moves(before, seat) for seat in to_act(before))


def test_after_covered_waits_for_one_seat_at_a_time() -> None:
    rules = TABLES[-1]
    assert {len(to_act(before)) for before, _, _ in steps(rules, Random(15))} == {1}
