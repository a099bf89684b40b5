"""How deals end: fools, places, teams, the bound on endless play, players who leave."""

from collections.abc import Sequence

import pytest

from durak_server.rules import (
    BARREN_BOUND,
    NO_CARD,
    BoutEnded,
    BoutOutcome,
    BoutStarted,
    DealEnded,
    DealEndReason,
    Forfeited,
    Move,
    MoveGroup,
    MoveKind,
    Position,
    Reason,
    Refusal,
    apply,
    forfeit,
    legal_moves,
    mask_of,
    parse_card,
    pick,
    play,
    to_act,
    view,
    void_deal,
)
from durak_server.rules.casesetup import set_up


def deal(hands: Sequence[str], stock: str = "", leader: str = "P0", **options: str) -> Position:
    """Return a position from hands such as "7S 8D", trump hearts."""
    return set_up(
        {
            "opts": {"preset": "podkidnoy", **options},
            "trump": "H",
            "attacker": leader,
            "hands": {f"P{seat}": hand.split() for seat, hand in enumerate(hands)},
            "stock": stock.split(),
        }
    )


def cards(names: str) -> tuple[int, ...]:
    return tuple(sorted(parse_card(name) for name in names.split()))


def move(kind: MoveKind, names: str = "", target: str = "") -> Move:
    return Move(kind, mask_of(cards(names)), parse_card(target) if target else -1)


def after(position: Position, *moves: tuple[int, Move]) -> Position:
    for seat, chosen in moves:
        answer = play(position, chosen, seat)
        assert not isinstance(answer, Refusal), answer.text
        position = answer[0]
    return position


ATTACK, THROW, BEAT, TAKE, PASS = (
    MoveKind.ATTACK,
    MoveKind.THROW_IN,
    MoveKind.BEAT,
    MoveKind.TAKE,
    MoveKind.PASS,
)

# options, hands, moves, the end
ENDS = [
    (
        {},
        ["7S", "8S KC"],
        [(0, move(ATTACK, "7S")), (1, move(BEAT, "8S", "7S"))],
        DealEnded((1,), ((0,), (1,)), 0, DealEndReason.FOOL),
    ),
    (
        {"places": "FOOL_ONLY"},
        ["7S", "8S KC"],
        [(0, move(ATTACK, "7S")), (1, move(BEAT, "8S", "7S"))],
        DealEnded((1,), (), 0, DealEndReason.FOOL),
    ),
    (
        {},
        ["7S", "8S"],
        [(0, move(ATTACK, "7S")), (1, move(BEAT, "8S", "7S"))],
        DealEnded((), ((0,), (1,)), 0, DealEndReason.DRAW),
    ),
    (
        {"simultaneous_places": "SHARED"},
        ["7S", "8S"],
        [(0, move(ATTACK, "7S")), (1, move(BEAT, "8S", "7S"))],
        DealEnded((), ((0, 1),), 0, DealEndReason.DRAW),
    ),
    (
        {"endgame": "FIRST_OUT_WINS"},
        ["7S", "8S"],
        [(0, move(ATTACK, "7S")), (1, move(BEAT, "8S", "7S"))],
        DealEnded((1,), ((0,), (1,)), 0, DealEndReason.FOOL),
    ),
    (
        {"teams": "ALTERNATE"},
        ["7S", "8S KC", "7D", "QC"],
        [(0, move(ATTACK, "7S")), (2, move(THROW, "7D")), (1, move(TAKE))],
        DealEnded((1, 3), ((0, 2), (1, 3)), 0, DealEndReason.TEAM),
    ),
    (
        {"epaulettes": "true"},
        ["6S", "7S KC"],
        [(0, move(ATTACK, "6S")), (1, move(BEAT, "7S", "6S"))],
        DealEnded((1,), ((0,), (1,)), 1, DealEndReason.FOOL),
    ),
    (
        {"epaulettes": "true"},
        ["6S 6D 6C", "7S KC AC"],
        [(0, move(ATTACK, "6S 6D 6C")), (1, move(TAKE))],
        DealEnded((1,), ((0,), (1,)), 3, DealEndReason.FOOL),
    ),
]


@pytest.mark.parametrize(("options", "hands", "moves", "end"), ENDS)
def test_how_a_deal_ends(
    options: dict[str, str],
    hands: list[str],
    moves: list[tuple[int, Move]],
    end: DealEnded,
) -> None:
    position = after(deal(hands, **options), *moves)
    assert position.result == end
    assert to_act(position) == ()
    assert [legal_moves(position, seat) for seat in range(len(hands))] == [[]] * len(hands)


def test_teams_that_empty_their_hands_together_draw_or_the_last_card_loses() -> None:
    hands = ["7S", "8S", "7D", "8D"]
    for endgame, fools in (("DRAW", ()), ("FIRST_OUT_WINS", (1, 3))):
        position = deal(hands, teams="ALTERNATE", endgame=endgame)
        position = after(position, (0, move(ATTACK, "7S")), (1, move(BEAT, "8S", "7S")))
        position = after(position, (2, move(ATTACK, "7D")), (3, move(BEAT, "8D", "7D")))
        assert position.result is not None
        assert position.result.fools == fools


def test_a_deal_that_goes_nowhere_is_a_draw_after_sixty_bouts() -> None:
    """Fault elsewhere: bots repeat a position for ever."""
    position = deal(["7S 8S 9S", "7D 8D 9D", "7C 8C 9C"])
    for bout in range(BARREN_BOUND):
        assert (position.result, position.barren) == (None, bout)
        position = taken_bout(position)
    assert BARREN_BOUND == 60
    assert position.result == DealEnded((), ((0, 1, 2),), 0, DealEndReason.BOUND)


def taken_bout(position: Position) -> Position:
    """Let the leader lead his lowest card, the defender take it, and everybody pass."""
    leader, defender = position.leader, position.defender
    position = after(position, (leader, pick(legal_moves(position, leader)[0], 0)))
    position = after(position, (defender, move(TAKE)))
    for seat in (leader, 3 - leader - defender):
        if position.taking and seat in to_act(position):
            position = after(position, (seat, move(PASS)))
    return position


def test_a_discard_begins_the_count_anew() -> None:
    position = deal(["7S 9C", "8S KC", "7C 8C"])
    position.barren = BARREN_BOUND - 1
    position = after(position, (0, move(ATTACK, "7S")), (1, move(BEAT, "8S", "7S")))
    position = after(position, (0, move(PASS)), (2, move(PASS)))
    assert (position.result, position.barren) == (None, 0)


def test_whoever_leaves_takes_his_cards_out_of_play_and_the_bout_is_void() -> None:
    """Fault elsewhere: the table cards of one who left stayed, or existed twice."""
    position = deal(["7S 9C", "8S KC", "8C 8D"], "TD AH")
    position = after(position, (0, move(ATTACK, "7S")), (1, move(BEAT, "8S", "7S")))
    position = after(position, (0, move(PASS)), (2, move(THROW, "8C")))
    left, events = forfeit(position, 2)
    assert events == (
        BoutEnded(BoutOutcome.VOID, ((0, cards("7S")), (1, cards("8S")), (2, cards("8C")))),
        Forfeited(2),
        BoutStarted(0, 1, 2),
    )
    assert left.removed == mask_of(cards("8C 8D"))
    assert left.hands == [mask_of(cards("7S 9C")), mask_of(cards("8S KC")), 0]
    assert view(left, None).known == (cards("7S"), cards("8S"), ())
    assert (left.in_play, left.forfeited, left.on_table, left.result) == (0b011, (2,), 0, None)


def test_when_the_leader_leaves_the_next_clockwise_leads() -> None:
    left, _ = forfeit(deal(["7S 9C", "8S KC", "8C 8D"], "TD AH"), 0)
    assert (left.leader, left.defender) == (1, 2)


def test_the_last_one_to_stay_is_no_fool() -> None:
    left, events = forfeit(deal(["7S 9C", "8S KC"], "TD AH"), 0)
    end = DealEnded((0,), ((1,), (0,)), 0, DealEndReason.FORFEIT)
    assert (left.result, events[-1]) == (end, end)


def test_who_left_is_a_fool_below_the_fool_and_the_first_to_leave_is_last() -> None:
    position = deal(["7S", "8S KC", "8C 8D", "9D"])
    position, _ = forfeit(position, 3)
    position, _ = forfeit(position, 2)
    position = after(position, (0, move(ATTACK, "7S")), (1, move(TAKE)))
    assert position.result == DealEnded((1, 2, 3), ((0,), (1,), (2,), (3,)), 0, DealEndReason.FOOL)


def test_a_side_loses_when_one_of_it_leaves() -> None:
    left, _ = forfeit(deal(["7S", "8S KC", "8C 8D", "9D"], teams="ALTERNATE"), 1)
    assert left.result == DealEnded((1, 3), ((0, 2), (1, 3)), 0, DealEndReason.FORFEIT)


def test_a_void_deal_has_no_fool_and_moves_no_card() -> None:
    position, _ = forfeit(deal(["7S 9C", "8S KC", "8C 8D"], "TD AH"), 2)
    void, events = void_deal(position)
    result = DealEnded((), (), 0, DealEndReason.VOID)
    assert events == (result,)
    assert (void.result, to_act(void)) == (result, ())
    assert (void.hands, void.stock, void.removed) == (
        *(position.hands, position.stock, position.removed),
    )
    assert apply(position, result, position.law.rules) == void
    with pytest.raises(ValueError, match="the deal is over"):
        void_deal(void)


def test_nobody_leaves_twice_or_after_the_end() -> None:
    position, _ = forfeit(deal(["7S", "8S KC", "8C 8D"]), 2)
    with pytest.raises(ValueError, match="seat 2 is not in play"):
        forfeit(position, 2)
    over, _ = forfeit(position, 1)
    with pytest.raises(ValueError, match="seat 0 is not in play"):
        forfeit(over, 0)


def test_after_a_forfeit_nobody_claims_a_new_deal() -> None:
    hands = ["6S 7S 8S 9S TS JS", "9D KC", "8C 8D"]
    position = deal(hands, "TD AH", redeal_right="SIX_SAME_SUIT")
    position.bouts = 0
    claim = move(MoveKind.CLAIM_REDEAL)
    assert not isinstance(play(position, claim, 0), Refusal)
    left, _ = forfeit(position, 2)
    assert play(left, claim, 0) == Refusal(Reason.REDEAL_TOO_LATE)
    assert MoveGroup(MoveKind.CLAIM_REDEAL, 0, NO_CARD, 0, 0) not in legal_moves(left, 0)


def test_the_first_bout_stays_the_first_when_it_is_void() -> None:
    position = deal(["7S 9C", "8S KC", "8C 8D"], "TD AH")
    position.bouts = 0
    left, _ = forfeit(position, 2)
    assert left.bouts == 0
