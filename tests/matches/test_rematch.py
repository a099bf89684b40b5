"""Another match after a finished one."""

from itertools import islice

import pytest

from durak_server import rules
from durak_server.matches import (
    AnnounceRematch,
    ExpireMatch,
    LeaveMatch,
    MakeRematch,
    MatchCreated,
    MatchReason,
    MatchRefusal,
    MatchStarted,
    MatchStatus,
    PlayerJoined,
    RematchMade,
    RematchOffered,
    WantRematch,
    rematch_ids,
)
from durak_server.rules import DealStarted, NextLeader, RuleSet
from tests.matches.tabletop import (
    MATCH_ID,
    Tabletop,
    finished_table,
    join_command,
    open_table,
    playing_table,
)

TWO, THREE = RuleSet(seats=2), RuleSet(seats=3)


def want(seat: int) -> WantRematch:
    return WantRematch(f"p{seat}", f"want-{seat}")


def finished_with_bots(rule_set: RuleSet, bots: int) -> Tabletop:
    table = playing_table(rule_set, bots=bots)
    for _ in table.moves_until_over():
        pass
    return table


def finished_without(seat: int) -> Tabletop:
    """Return a match of three which one has left."""
    table = playing_table(THREE)
    table.do(LeaveMatch(f"p{seat}", ""))
    for _ in table.moves_until_over():
        pass
    return table


def rematch_after(previous: Tabletop, seed: int = 7) -> Tabletop:
    """Return the match that follows a finished one."""
    table = Tabletop(seed)
    table.do(MakeRematch("next", previous.match))
    return table


def test_a_rematch_is_awaited_once_every_human_wants_it() -> None:
    table = finished_with_bots(THREE, bots=1)
    assert table.do(want(1)) == (RematchOffered(1),)
    assert table.do(want(1)) == ()
    assert not table.match.awaits_rematch
    assert table.do(AnnounceRematch("next")) == ()
    assert table.do(want(0)) == (RematchOffered(0),)
    assert (table.match.awaits_rematch, table.match.rematch_wanted_by) == (True, (1, 0))


def test_a_rematch_is_announced_once() -> None:
    table = finished_table(TWO)
    table.do(want(0))
    table.do(want(1))
    assert table.do(AnnounceRematch("next")) == (RematchMade("next"),)
    assert table.do(AnnounceRematch("other")) == ()
    assert table.do(want(0)) == ()
    assert (table.match.next_match_id, table.match.status) == ("next", MatchStatus.FINISHED)


def test_who_has_left_is_not_waited_for_and_cannot_want_it() -> None:
    table = finished_without(2)
    assert table.ask(want(2)) == MatchRefusal(MatchReason.NOT_SEATED)
    table.do(want(0))
    table.do(want(1))
    assert table.match.awaits_rematch


REFUSED = [
    (open_table(TWO), "p0", MatchReason.MATCH_NOT_OVER),
    (playing_table(TWO), "p0", MatchReason.MATCH_NOT_OVER),
    (finished_table(TWO), "stranger", MatchReason.NOT_SEATED),
]


@pytest.mark.parametrize(("table", "player", "reason"), REFUSED)
def test_only_players_of_a_finished_match_have_a_rematch(
    table: Tabletop, player: str, reason: MatchReason
) -> None:
    assert table.ask(WantRematch(player, "")) == MatchRefusal(reason)


def test_an_abandoned_match_has_no_rematch() -> None:
    table = playing_table(TWO)
    table.do(ExpireMatch(table.now, table.now))
    assert table.ask(want(0)) == MatchRefusal(MatchReason.MATCH_OVER)


@pytest.mark.parametrize("next_leader", NextLeader)
def test_a_rematch_begins_as_the_next_deal_would_have(next_leader: NextLeader) -> None:
    previous = finished_with_bots(RuleSet(seats=3, next_leader=next_leader), bots=1)
    match, result = previous.match, previous.match.last_result
    assert match.dealt
    assert result
    dealer = rules.next_dealer(match.rules, result, match.dealt.dealer)
    leader = rules.next_leader(match.rules, result)
    table = Tabletop(seed=3)
    created, *joined, started, dealt, _ = table.do(MakeRematch("next", match))
    assert created == MatchCreated(
        "next",
        match.preset,
        match.rules,
        match.owner_id,
        match.visibility,
        match.spectators,
        match.invite_code,
        start_when_full=True,
        previous_match_id=MATCH_ID,
        first_dealer=dealer,
        first_leader=leader,
    )
    players = [player for player in match.seats if player]
    assert joined == [PlayerJoined(seat, player) for seat, player in enumerate(players)]
    assert started == MatchStarted()
    assert isinstance(dealt, DealStarted)
    assert dealt.dealer == dealer
    assert leader in (None, dealt.leader)


def test_the_seat_of_one_who_left_is_free_and_who_takes_it_starts_the_rematch() -> None:
    table = rematch_after(finished_without(0))
    assert [player and player.player_id for player in table.match.seats] == [None, "p1", "p2"]
    assert (table.match.status, table.match.owner_id) == (MatchStatus.OPEN, "p1")
    table.do(join_command(0))
    assert table.match.status is MatchStatus.PLAYING
    assert table.match.dealt
    assert table.match.dealt.dealer == table.match.first_dealer


def test_making_a_rematch_again_changes_nothing() -> None:
    previous = finished_table(TWO)
    table = rematch_after(previous)
    assert table.do(MakeRematch("next", previous.match)) == ()


def test_an_id_that_a_player_took_for_another_match_is_passed_over() -> None:
    previous = finished_table(TWO)
    taken = open_table(TWO)
    refusal = MatchRefusal(MatchReason.MATCH_EXISTS)
    assert taken.ask(MakeRematch(MATCH_ID, previous.match)) == refusal


def test_the_ids_of_a_rematch_follow_from_the_match() -> None:
    one, other = finished_table(TWO).match, finished_table(TWO, seed=4).match
    ids = list(islice(rematch_ids(one), 3))
    assert ids == list(islice(rematch_ids(other), 3))
    assert len({*ids, one.match_id}) == 4
    assert all(len(match_id) == 32 for match_id in ids)


def test_a_rematch_of_a_rematch_goes_on_in_turn() -> None:
    table = rematch_after(finished_table(TWO))
    for _ in table.moves_until_over():
        pass
    again = Tabletop(seed=5)
    again.do(MakeRematch("third", table.match))
    assert (again.match.previous_match_id, again.match.status) == ("next", MatchStatus.PLAYING)
