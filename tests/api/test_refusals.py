"""Every documented refusal: its code, its reason, and the match as it was before."""

from collections.abc import Awaitable, Callable

import pytest
from grpc import StatusCode

from durak_server.pb.durak.v1 import card_pb2, match_pb2, move_pb2, play_service_pb2
from tests.live_server import Calls, Failure, Guest, failure_of, first_move, started_match

Attempt = Callable[[Guest], Awaitable[object]]
Situation = Callable[[Calls], Awaitable[list[Guest]]]
PASS = move_pb2.Move(kind=move_pb2.MOVE_KIND_PASS)


async def opened(calls: Calls) -> list[Guest]:
    """The match "m": its owner Guest 0, a second player Guest 1, a free seat; a stranger."""
    owner, second, stranger = await calls.guests(3)
    await owner.create(match_id="m", rules={"seats": 3})
    await second.join("m")
    return [owner, second, stranger]


async def playing(calls: Calls) -> list[Guest]:
    """The same, full and started, for two."""
    owner, second, stranger = await calls.guests(3)
    await owner.create(match_id="m")
    await second.join("m")
    await owner.start("m")
    return [owner, second, stranger]


async def abandoned(calls: Calls) -> list[Guest]:
    """The same, left by both before the start."""
    owner, second, stranger = await calls.guests(3)
    await owner.create(match_id="m")
    await second.join("m")
    await owner.leave("m")
    await second.leave("m")
    return [owner, second, stranger]


async def finished(calls: Calls) -> list[Guest]:
    """The same, played out: the second player left in the first deal."""
    owner, second, stranger = await calls.guests(3)
    await owner.create(match_id="m")
    await second.join("m")
    await owner.start("m")
    await second.leave("m")
    return [owner, second, stranger]


async def hidden(calls: Calls) -> list[Guest]:
    """A match that is not listed and that nobody may watch."""
    owner, second, stranger = await calls.guests(3)
    made = await owner.create(
        match_id="m", visibility="VISIBILITY_UNLISTED", spectators="SPECTATORS_NONE"
    )
    await second.join(invite_code=made.info.invite_code)
    return [owner, second, stranger]


async def unwatched(calls: Calls) -> list[Guest]:
    """A match that is listed and that nobody may watch."""
    owner, second, stranger = await calls.guests(3)
    await owner.create(match_id="m", spectators="SPECTATORS_NONE")
    return [owner, second, stranger]


OWNER, SECOND, STRANGER = range(3)
NOBODY = "nobody"
EXISTS, NOT_FOUND = StatusCode.ALREADY_EXISTS, StatusCode.NOT_FOUND
DENIED, FORBIDDEN = StatusCode.PERMISSION_DENIED, StatusCode.FAILED_PRECONDITION
STALE, AHEAD = StatusCode.ABORTED, StatusCode.OUT_OF_RANGE
REFUSALS: list[tuple[Situation, int, Attempt, StatusCode, str]] = [
    # match  who  does  code  reason
    (opened, STRANGER, lambda g: g.create(match_id="m"), EXISTS, "MATCH_EXISTS"),
    (opened, OWNER, lambda g: g.create(match_id="m"), EXISTS, "MATCH_EXISTS"),
    (opened, STRANGER, lambda g: g.join("n"), NOT_FOUND, "MATCH_NOT_FOUND"),
    (opened, STRANGER, lambda g: g.join(invite_code="X1"), NOT_FOUND, "MATCH_NOT_FOUND"),
    (hidden, STRANGER, lambda g: g.join("m"), NOT_FOUND, "MATCH_NOT_FOUND"),
    (opened, STRANGER, lambda g: g.join("m", seat=1), FORBIDDEN, "SEAT_TAKEN"),
    (playing, STRANGER, lambda g: g.join("m"), FORBIDDEN, "MATCH_STARTED"),
    (abandoned, STRANGER, lambda g: g.join("m"), FORBIDDEN, "MATCH_OVER"),
    (finished, SECOND, lambda g: g.join("m"), FORBIDDEN, "MATCH_OVER"),
    (opened, STRANGER, lambda g: g.leave("n"), NOT_FOUND, "MATCH_NOT_FOUND"),
    (opened, STRANGER, lambda g: g.leave("m"), DENIED, "NOT_SEATED"),
    (finished, OWNER, lambda g: g.leave("m"), FORBIDDEN, "MATCH_OVER"),
    (opened, OWNER, lambda g: g.leave("m", expected_sequence=1), STALE, "STALE_SEQUENCE"),
    (opened, OWNER, lambda g: g.start("n"), NOT_FOUND, "MATCH_NOT_FOUND"),
    (opened, SECOND, lambda g: g.start("m"), DENIED, "NOT_OWNER"),
    (opened, OWNER, lambda g: g.start("m"), FORBIDDEN, "SEATS_FREE"),
    (playing, OWNER, lambda g: g.start("m"), FORBIDDEN, "MATCH_STARTED"),
    (finished, OWNER, lambda g: g.start("m"), FORBIDDEN, "MATCH_OVER"),
    (opened, OWNER, lambda g: g.start("m", expected_sequence=9), STALE, "STALE_SEQUENCE"),
    (opened, OWNER, lambda g: g.add_bot("n"), NOT_FOUND, "MATCH_NOT_FOUND"),
    (opened, SECOND, lambda g: g.add_bot("m"), DENIED, "NOT_OWNER"),
    (opened, OWNER, lambda g: g.add_bot("m", seat=1), FORBIDDEN, "SEAT_TAKEN"),
    (hidden, OWNER, lambda g: g.add_bot("m"), FORBIDDEN, "MATCH_FULL"),
    (playing, OWNER, lambda g: g.add_bot("m"), FORBIDDEN, "MATCH_STARTED"),
    (finished, OWNER, lambda g: g.add_bot("m"), FORBIDDEN, "MATCH_OVER"),
    (opened, OWNER, lambda g: g.add_bot("m", expected_sequence=1), STALE, "STALE_SEQUENCE"),
    (opened, SECOND, lambda g: g.remove("m", g.player_id), DENIED, "NOT_OWNER"),
    (opened, OWNER, lambda g: g.remove("n", g.player_id), NOT_FOUND, "MATCH_NOT_FOUND"),
    (opened, OWNER, lambda g: g.remove("m", NOBODY), FORBIDDEN, "PLAYER_NOT_SEATED"),
    (playing, OWNER, lambda g: g.remove("m", NOBODY), FORBIDDEN, "MATCH_STARTED"),
    (finished, OWNER, lambda g: g.remove("m", NOBODY), FORBIDDEN, "MATCH_OVER"),
    (
        opened,
        OWNER,
        lambda g: g.remove("m", NOBODY, expected_sequence=1),
        STALE,
        "STALE_SEQUENCE",
    ),
    (opened, OWNER, lambda g: g.move("n", PASS), NOT_FOUND, "MATCH_NOT_FOUND"),
    (playing, STRANGER, lambda g: g.move("m", PASS), DENIED, "NOT_SEATED"),
    (opened, OWNER, lambda g: g.move("m", PASS), FORBIDDEN, "MATCH_NOT_STARTED"),
    (finished, OWNER, lambda g: g.move("m", PASS), FORBIDDEN, "MATCH_OVER"),
    (playing, OWNER, lambda g: g.move("m", PASS, expected_sequence=1), STALE, "STALE_SEQUENCE"),
    (opened, OWNER, lambda g: g.look("n"), NOT_FOUND, "MATCH_NOT_FOUND"),
    (hidden, SECOND, lambda g: g.start("m"), DENIED, "NOT_OWNER"),
    (unwatched, STRANGER, lambda g: g.look("m"), DENIED, "SPECTATORS_REFUSED"),
    (unwatched, STRANGER, lambda g: g.leave("m"), DENIED, "NOT_SEATED"),
    (opened, OWNER, lambda g: g.followed("n"), NOT_FOUND, "MATCH_NOT_FOUND"),
    (unwatched, STRANGER, lambda g: g.followed("m"), DENIED, "SPECTATORS_REFUSED"),
    (opened, OWNER, lambda g: g.followed("m", after=5), AHEAD, "SEQUENCE_AHEAD"),
]


@pytest.mark.parametrize(("situation", "who", "attempt", "code", "reason"), REFUSALS)
async def test_a_refusal_has_its_code_and_reason_and_changes_nothing(
    calls: Calls,
    situation: Situation,
    who: int,
    attempt: Attempt,
    code: StatusCode,
    reason: str,
) -> None:
    guests = await situation(calls)
    before = await guests[OWNER].look("m")

    failure = await failure_of(attempt(guests[who]))

    assert (failure.code, failure.reason) == (code, reason)
    assert failure.text.endswith(".")
    assert failure.fields == ()
    assert failure.retry_seconds is None
    assert await guests[OWNER].look("m") == before


async def test_a_full_match_refuses_a_third(calls: Calls) -> None:
    owner, second, third = await calls.guests(3)
    match_id = (await owner.create()).info.match_id
    await second.join(match_id)

    failure = await failure_of(third.join(match_id))

    assert failure == Failure(StatusCode.FAILED_PRECONDITION, "MATCH_FULL", "Every seat is taken.")


async def test_stale_and_ahead_tell_the_last_sequence(calls: Calls) -> None:
    owner, *_ = await opened(calls)

    stale = await failure_of(owner.start("m", expected_sequence=1))
    ahead = await failure_of(owner.followed("m", after=99))

    assert stale.metadata["sequence"] == "4"
    assert ahead.metadata == {"sequence": "4"}


async def test_who_left_a_running_match_cannot_come_back(calls: Calls) -> None:
    players = await calls.guests(3)
    match_id = await started_match(3, players)
    await players[1].leave(match_id)

    assert (await failure_of(players[1].join(match_id))).reason == "PLAYER_LEFT"
    assert (await failure_of(players[1].leave(match_id))).reason == "NOT_SEATED"
    assert (await failure_of(players[1].move(match_id, PASS))).reason == "NOT_SEATED"


async def leader_and_defender(players: list[Guest], match_id: str) -> tuple[Guest, Guest]:
    view = await players[0].view(match_id)
    return players[view.deal.leader], players[view.deal.defender]


def hand(view: play_service_pb2.GetViewResponse) -> list[card_pb2.Card.ValueType]:
    return list(view.view.deal.seats[view.view.seat].hand)


async def test_what_the_rules_forbid_is_told_by_its_reason(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    leader, defender = await leader_and_defender(players, match_id)
    his, others = hand(await leader.look(match_id)), hand(await defender.look(match_id))
    before = await leader.look(match_id)
    kind = move_pb2.MoveKind
    table = [
        (leader, move_pb2.Move(kind=kind.MOVE_KIND_PASS), "MUST_ATTACK"),
        (leader, move_pb2.Move(kind=kind.MOVE_KIND_ATTACK, cards=others[:1]), "NOT_IN_HAND"),
        (leader, move_pb2.Move(kind=kind.MOVE_KIND_ATTACK), "WRONG_CARD_COUNT"),
        (leader, move_pb2.Move(kind=kind.MOVE_KIND_CLAIM_REDEAL), "REDEAL_DISABLED"),
        (defender, move_pb2.Move(kind=kind.MOVE_KIND_ATTACK, cards=others[:1]), "NOT_ATTACKER"),
        (
            defender,
            move_pb2.Move(kind=kind.MOVE_KIND_BEAT, cards=others[:1], target=his[0]),
            "NO_ATTACK_YET",
        ),
    ]

    for player, move, reason in table:
        failure = await failure_of(player.move(match_id, move))

        assert (failure.code, failure.reason) == (StatusCode.FAILED_PRECONDITION, reason)
        assert await leader.look(match_id) == before


async def test_a_refusal_names_no_card_that_the_mover_does_not_hold(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    leader, defender = await leader_and_defender(players, match_id)
    await leader.move(match_id, first_move(await leader.view(match_id)))
    his = hand(await defender.look(match_id))

    failure = await failure_of(
        leader.move(match_id, move_pb2.Move(kind=move_pb2.MOVE_KIND_THROW_IN, cards=his[:1]))
    )

    assert failure.reason in ("NOT_IN_HAND", "RANK_NOT_ON_TABLE")
    assert set(failure.metadata) <= {"card"}


async def test_only_those_seated_see_a_match_without_spectators(calls: Calls) -> None:
    owner, second, _ = await hidden(calls)

    assert (await second.view("m")).seat == 1
    assert (await owner.look("m")).info.spectators == match_pb2.SPECTATORS_NONE


CALLS_OF_A_STRANGER: dict[str, Callable[[Guest, str], Awaitable[object]]] = {
    "join": lambda g, m: g.join(m),
    "leave": lambda g, m: g.leave(m),
    "start": lambda g, m: g.start(m),
    "add a bot": lambda g, m: g.add_bot(m),
    "move": lambda g, m: g.move(m, PASS),
    "move on a guess": lambda g, m: g.move(m, PASS, expected_sequence=1),
    "add a seed": lambda g, m: g.add_seed(m, seed=b"1"),
    "look": lambda g, m: g.look(m),
    "follow": lambda g, m: g.followed(m),
    "follow from afar": lambda g, m: g.followed(m, after=1_000),
}


@pytest.mark.parametrize("call", CALLS_OF_A_STRANGER)
async def test_a_hidden_match_is_none_to_a_stranger_whatever_he_calls(
    calls: Calls, call: str
) -> None:
    stranger = (await hidden(calls))[STRANGER]

    there = await failure_of(CALLS_OF_A_STRANGER[call](stranger, "m"))

    assert there == await failure_of(CALLS_OF_A_STRANGER[call](stranger, "n"))
    assert there.reason == "MATCH_NOT_FOUND"
