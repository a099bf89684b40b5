"""Every deal is bound to seeds before and shown to be so after (docs/fair-deals.md)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from durak_server.matches import (
    AddSeed,
    CommitSeed,
    DealCards,
    DealCommitted,
    JoinMatch,
    LeaveMatch,
    MatchAbandoned,
    MatchEvent,
    MatchFinished,
    MatchReason,
    MatchRefusal,
    MatchStarted,
    MatchStatus,
    PlayerJoined,
    SeedAdded,
    SeedRevealed,
    Shuffle,
    StartMatch,
    commitment_to,
    committed_order,
    decide,
    shuffled,
)
from durak_server.rules import (
    DealEnded,
    DealStarted,
    Leave,
    RedealRight,
    RuleSet,
    deck_cards,
)
from tests.matches.random_matches import tables
from tests.matches.tabletop import (
    MATCH_ID,
    Tabletop,
    create_command,
    full_table,
    join_command,
    open_table,
    playing_table,
)

TWO = RuleSet(seats=2)
SEED = bytes(range(32))
OUTSIDE_A_BOUT = (DealCommitted, SeedAdded, SeedRevealed, DealStarted, DealEnded, MatchFinished)


def course(table: Tabletop) -> list[str]:
    """Return what happened to the deals of a match, by name."""
    events = [record.event for record in table.history.records(0)]
    return [type(event).__name__ for event in events if isinstance(event, OUTSIDE_A_BOUT)]


def test_a_match_is_bound_to_its_first_deal_as_soon_as_it_is_made() -> None:
    table = open_table(TWO)
    assert table.match.awaits_commitment
    assert table.do(CommitSeed(SEED)) == (DealCommitted(1, commitment_to(SEED), SEED),)
    assert table.match.next_shuffle == Shuffle(1, SEED)
    assert not table.match.awaits_commitment


def test_the_only_deal_is_dealt_from_all_seeds_and_shown_at_its_end() -> None:
    table = full_table(TWO, commits=True)
    table.add_seed(1, b"one")
    table.add_seed(0, b"zero")
    shuffle = table.match.next_shuffle
    assert shuffle
    assert shuffle.seeds == ((0, b"zero"), (1, b"one"))
    _, dealt, _ = table.do(StartMatch("p0", ""))
    assert isinstance(dealt, DealStarted)
    assert dealt.order == shuffled(36, MATCH_ID, shuffle)
    assert (table.match.shuffle, table.match.next_shuffle) == (shuffle, None)
    *_, last = table.moves_until_over()
    assert last[-2:] == (
        SeedRevealed(1, shuffle.server_seed),
        MatchFinished(table.match.times_fool),
    )
    assert table.match.shuffle is None


def test_the_next_deal_is_bound_while_the_one_before_is_played() -> None:
    table = playing_table(RuleSet(seats=2, deals=2), commits=True)
    table.add_seed(0, b"for the second deal")
    list(table.moves_until_over())
    assert course(table) == [
        *("DealCommitted", "DealStarted", "DealCommitted", "SeedAdded", "DealEnded"),
        *("SeedRevealed", "DealStarted", "DealCommitted", "DealEnded", "SeedRevealed"),
        "MatchFinished",
    ]


@pytest.mark.parametrize(
    ("rules", "is_bound"),
    [
        (TWO, False),
        (replace(TWO, deals=2), True),
        (replace(TWO, deals=0), True),
        (replace(TWO, redeal_right=RedealRight.SIX_SAME_SUIT), True),
        (replace(TWO, leave=Leave.RESTART_DEAL), True),
    ],
)
def test_a_match_is_bound_to_a_further_deal_only_if_one_may_come(
    rules: RuleSet, is_bound: bool
) -> None:
    match = playing_table(TWO).match
    assert replace(match, rules=rules).awaits_commitment is is_bound


@settings(max_examples=60)
@given(tables())
def test_every_committed_deal_has_the_order_of_its_seeds_and_is_shown_once_over(
    table: Tabletop,
) -> None:
    shuffle: Shuffle | None = None
    in_play: Shuffle | None = None
    for event in (record.event for record in table.history.records(0)):
        match event:
            case DealCommitted(number, commitment, server_seed):
                assert (shuffle, commitment) == (None, commitment_to(server_seed))
                shuffle = Shuffle(number, server_seed)
            case SeedAdded(_, seat, seed):
                assert shuffle
                shuffle = shuffle.with_seed(seat, seed)
            case DealStarted(order):
                assert in_play is None
                assert shuffle is None or order == shuffled(len(order), MATCH_ID, shuffle)
                shuffle, in_play = None, shuffle
            case SeedRevealed(number, server_seed):
                assert in_play
                assert (number, server_seed) == (in_play.number, in_play.server_seed)
                in_play = None
            case MatchFinished() | MatchAbandoned():
                assert in_play is None
            case _:
                pass
    assert (table.match.shuffle, table.match.next_shuffle) == (in_play, shuffle)


def test_the_seed_of_a_match_abandoned_in_mid_deal_is_shown() -> None:
    table = playing_table(RuleSet(seats=3), bots=2, commits=True)
    shuffle = table.match.shuffle
    assert shuffle
    events = table.do(LeaveMatch("p0", ""))
    assert events[-2:] == (SeedRevealed(1, shuffle.server_seed), MatchAbandoned())


def test_a_seed_comes_with_its_player_and_goes_with_him() -> None:
    table = open_table(RuleSet(seats=3), commits=True)
    table.add_seed(0, b"zero")
    joined = table.do(replace(join_command(1), seed=b"one"))
    assert [type(event) for event in joined] == [PlayerJoined, SeedAdded]
    table.do(LeaveMatch("p1", ""))
    shuffle = table.match.next_shuffle
    assert shuffle
    assert shuffle.seeds == ((0, b"zero"),)
    table.do(JoinMatch("p9", "", "P", 1, seed=b"nine"))
    assert table.match.next_shuffle == shuffle.with_seed(1, b"nine")


def test_the_seed_of_who_fills_the_match_is_in_the_deal_that_follows() -> None:
    table = Tabletop(commits=True)
    table.do(create_command(TWO, start_when_full=True))
    shuffle = table.match.next_shuffle
    assert shuffle
    _, added, _, dealt, _ = table.do(replace(join_command(1), seed=b"one"))
    assert added == SeedAdded(1, 1, b"one")
    assert isinstance(dealt, DealStarted)
    assert dealt.order == shuffled(36, MATCH_ID, shuffle.with_seed(1, b"one"))


def test_a_seed_once_added_stays() -> None:
    table = full_table(TWO, commits=True)
    table.add_seed(0, b"first")
    shuffle = table.match.next_shuffle
    assert shuffle
    again = table.ask(AddSeed("p0", "", shuffle.commitment, b"second"))
    assert again == MatchRefusal(MatchReason.SEED_GIVEN)
    assert table.match.next_shuffle == shuffle


def test_a_seed_for_another_shuffle_comes_too_late_or_too_early() -> None:
    table = full_table(TWO, commits=True)
    shuffle = table.match.next_shuffle
    assert shuffle
    closed = MatchRefusal(MatchReason.SEEDS_CLOSED)
    assert table.ask(AddSeed("p0", "", b"\0" * 32, b"seed")) == closed
    table.do(StartMatch("p0", ""))
    assert table.ask(AddSeed("p0", "", shuffle.commitment, b"seed")) == closed


def test_only_who_sits_at_a_match_that_is_not_over_adds_a_seed() -> None:
    table = open_table(TWO, commits=True)
    shuffle = table.match.next_shuffle
    assert shuffle
    stranger = AddSeed("p7", "", shuffle.commitment, b"seed")
    assert table.ask(stranger) == MatchRefusal(MatchReason.NOT_SEATED)
    played = playing_table(TWO, commits=True)
    list(played.moves_until_over())
    late = AddSeed("p0", "", shuffle.commitment, b"seed")
    assert played.ask(late) == MatchRefusal(MatchReason.MATCH_OVER)


def test_a_bound_match_is_dealt_no_other_order() -> None:
    table = full_table(TWO, commits=True)
    started: tuple[MatchEvent, ...] | MatchRefusal = decide(table.match, StartMatch("p0", ""))
    assert started == (MatchStarted(),)
    waiting = replace(table.match, status=MatchStatus.PLAYING)
    assert committed_order(waiting) not in (None, deck_cards(36))
    with pytest.raises(ValueError, match="not the one that the match is bound to"):
        decide(waiting, DealCards(deck_cards(36)))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_server_binds_itself_to_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="a server's seed has 32 bytes"):
        decide(open_table(TWO).match, CommitSeed(b"x" * length))


def test_a_match_is_bound_once() -> None:
    with pytest.raises(ValueError, match="awaits no commitment"):
        decide(open_table(TWO, commits=True).match, CommitSeed(SEED))


def test_a_match_that_was_not_bound_is_dealt_all_the_same_and_bound_from_then_on() -> None:
    table = playing_table(RuleSet(seats=2, deals=2))
    assert course(table) == ["DealStarted"]
    assert table.match.awaits_commitment
    table.do(CommitSeed(SEED))
    list(table.moves_until_over())
    assert course(table)[1:] == [
        *("DealCommitted", "DealEnded", "DealStarted", "DealEnded", "SeedRevealed"),
        "MatchFinished",
    ]
