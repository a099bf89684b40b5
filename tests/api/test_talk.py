"""Table talk as clients have it."""

import io
from typing import Any

import pytest
from grpc import StatusCode
from prometheus_client import generate_latest

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import event_pb2, play_service_pb2, talk_pb2
from tests.api.one_stream import follow, one_stream
from tests.fake_time import FakeTime
from tests.live_server import (
    Calls,
    Guest,
    connected,
    failure_of,
    first_move,
    metric,
    running_server,
    server_at,
    started_match,
)

ZALGO = "e" + "\u0301\u0302\u0303\u0304\u0305"


async def heard(guest: Guest, match_id: str, sequence: int, **fields: Any) -> event_pb2.Event:
    """Return the event of a sequence as somebody who follows the match gets it."""
    async for update in guest.follow(match_id, sequence - 1, **fields):
        return update.events[0]
    raise AssertionError("the stream ended")


async def test_what_a_player_says_everybody_hears(calls: Calls, server: DurakServer) -> None:
    vasya, boris, spectator = await calls.guests(3)
    match_id = await started_match(2, [vasya, boris])

    for speech in (
        talk_pb2.Speech(text="Ваш ход, сударь 👍"),
        talk_pb2.Speech(phrase=talk_pb2.PHRASE_GOOD_LUCK),
        talk_pb2.Speech(reaction=talk_pb2.REACTION_APPLAUSE),
    ):
        request = play_service_pb2.SayRequest(match_id=match_id, speech=speech)
        sequence = (await calls.play.Say(request, metadata=boris.metadata)).sequence
        for guest in (vasya, boris, spectator):
            event = await heard(guest, match_id, sequence)
            assert event.said == event_pb2.Said(seat=1, player_id=boris.player_id, speech=speech)
    kinds = {kind: metric(server, "durak_said_total", kind=kind) for kind in ("TEXT", "PHRASE")}
    assert kinds == {"TEXT": 1, "PHRASE": 1}


SAID = [
    # sent, kept
    (" Hello ", "Hello"),
    ("cafe\u0301", "caf\u00e9"),
    ("x" * 200, "x" * 200),
    ("*bold* <b> \\o/", "*bold* <b> \\o/"),
]


@pytest.mark.parametrize(("sent", "kept"), SAID)
async def test_words_are_kept_in_normal_form(calls: Calls, sent: str, kept: str) -> None:
    guest = await calls.guest()
    await guest.create(match_id="m")
    event = await heard(guest, "m", await guest.say("m", sent))
    assert event.said.speech.text == kept


async def test_what_is_said_stands_in_no_log_line_and_no_metric(lines: io.StringIO) -> None:
    async with running_server() as server, connected(server) as calls:
        guest, spectator = await calls.guests(2)
        await guest.create(match_id="m")
        await guest.say("m", "confidential")
        await failure_of(spectator.say("m", "confidential"))
        await failure_of(guest.say("m", "confidential\n" * 9))
        metrics = generate_latest(server.metrics.registry).decode()
    assert "durak.v1.PlayService/Say" in lines.getvalue()
    assert "confidential" not in lines.getvalue() + metrics


NOT_SAID: list[tuple[dict[str, Any], str]] = [  # Any: each field has a type of its own
    ({}, "speech"),
    ({"text": "   "}, "speech.text"),
    ({"text": "x" * 201}, "speech.text"),
    ({"text": "two\nlines"}, "speech.text"),
    ({"text": "\u202egnp.exe"}, "speech.text"),
    ({"text": ZALGO}, "speech.text"),
    ({"phrase": 0}, "speech.phrase"),
    ({"phrase": 99}, "speech.phrase"),
    ({"reaction": 99}, "speech.reaction"),
]


@pytest.mark.parametrize(("fields", "field"), NOT_SAID)
async def test_what_cannot_be_said_names_its_field(
    calls: Calls,
    fields: dict[str, Any],  # Any: as above
    field: str,
) -> None:
    guest = await calls.guest()
    await guest.create(match_id="m")
    failure = await failure_of(guest.say("m", **fields))
    assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, (field,))


CUSTOMS = [
    # table_talk, code, reason
    ("TABLE_TALK_OFF", StatusCode.FAILED_PRECONDITION, "TALK_FORBIDDEN"),
    ("TABLE_TALK_PHRASES", StatusCode.FAILED_PRECONDITION, "PHRASES_ONLY"),
]


@pytest.mark.parametrize(("talk", "code", "reason"), CUSTOMS)
async def test_a_table_may_want_no_talk(
    calls: Calls, talk: str, code: StatusCode, reason: str
) -> None:
    guest, spectator = await calls.guests(2)
    await guest.create(match_id="m", rules={"table_talk": talk})
    failure = await failure_of(guest.say("m", "Hello"))
    assert (failure.code, failure.reason) == (code, reason)
    unseated = await failure_of(spectator.say("m", "Hello"))
    assert (unseated.code, unseated.reason) == (StatusCode.PERMISSION_DENIED, "NOT_SEATED")


async def test_who_talks_too_fast_is_told_when_to_go_on() -> None:
    async with running_server(talk_pause_seconds=1_000) as server, connected(server) as calls:
        vasya, boris = await calls.guests(2)
        match_id = await started_match(2, [vasya, boris])
        for _ in range(3):
            await vasya.say(match_id, "Hurry up!")
        failure = await failure_of(vasya.say(match_id, "Hurry up!"))

        assert (failure.code, failure.reason) == (StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
        assert failure.metadata == {"limit": "talk_pause_seconds"}
        assert failure.retry_seconds == pytest.approx(1_000, abs=50)
        assert metric(server, "durak_rate_limited_total", limit="talk_pause_seconds") == 1
        await boris.say(match_id, "One moment.")
        said = await boris.say(match_id, "Sorry!", request_id="once")
        for _ in range(3):
            assert await boris.say(match_id, "Sorry!", request_id="once") == said
        assert (await vasya.view(match_id)).status  # other calls are his as before


async def test_talk_makes_no_move_stale(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    views = [await player.view(match_id) for player in players]
    mover = 0 if views[0].legal_moves else 1
    await players[1 - mover].say(match_id, "Wait!")
    moved = await players[mover].move(
        match_id, first_move(views[mover]), expected_sequence=views[mover].sequence
    )
    assert moved.events[0].sequence == views[mover].sequence + 2


async def test_a_muted_player_is_not_heard_and_not_told(calls: Calls) -> None:
    vasya, boris = await calls.guests(2)
    match_id = await started_match(2, [vasya, boris])
    sequence = await boris.say(match_id, "Noise")

    deaf = await heard(vasya, match_id, sequence, muted_player_ids=[boris.player_id])
    assert deaf.said == event_pb2.Said(seat=1, player_id=boris.player_id)
    assert (await heard(vasya, match_id, sequence)).said.speech.text == "Noise"
    async with one_stream(vasya) as stream:
        await stream.send(follow(match_id, sequence - 1, muted_player_ids=[boris.player_id]))
        assert (await stream.news_of([match_id]))[match_id].events[0] == deaf


NOBODY = {
    "too many": [f"p{n}" for n in range(65)],
    "too long": ["p" * 65],
    "empty": [""],
    "with a space": ["p 1"],
    "outside of ASCII": ["\u0432"],
}


@pytest.mark.parametrize("muted", NOBODY.values(), ids=NOBODY)
async def test_no_more_is_kept_of_muted_players_than_ids_can_have(
    calls: Calls, muted: list[str]
) -> None:
    guest = await calls.guest()
    await guest.create(match_id="m")

    heard_nothing = heard(guest, "m", 1, muted_player_ids=muted)
    assert (await failure_of(heard_nothing)).fields == ("muted_player_ids",)
    async with one_stream(guest) as stream:
        [refused] = await stream.ask(follow("m", muted_player_ids=muted))
        longest = await stream.ask(follow("m", muted_player_ids=["p" * 64] * 64))
    assert [problem.path for problem in refused.refusal.problems] == ["muted_player_ids"]
    assert longest[0].HasField("followed")


async def test_a_stream_of_many_matches_talks_in_order_with_its_moves(calls: Calls) -> None:
    vasya, boris = await calls.guests(2)
    match_id = await started_match(2, [vasya, boris])
    hello = talk_pb2.Speech(phrase=talk_pb2.PHRASE_HELLO)

    async with one_stream(vasya) as stream:
        request = play_service_pb2.SayRequest(match_id=match_id, speech=hello)
        empty = play_service_pb2.SayRequest(match_id=match_id)
        said, refused = await stream.ask(
            play_service_pb2.PlayCommand(say=request), play_service_pb2.PlayCommand(say=empty)
        )
    assert (await heard(boris, match_id, said.said.sequence)).said.speech == hello
    assert [problem.path for problem in refused.refusal.problems] == ["speech"]


async def test_a_table_talks_until_nobody_waits_for_a_rematch_any_more() -> None:
    time = FakeTime()
    async with (
        server_at(time.keeper, rematch_seconds=60) as server,
        connected(server) as calls,
    ):
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        await players[1].leave(match_id)  # which ends the deal, and with it the match
        time.advance(59)
        said = await players[0].say(match_id, "One more?")
        assert (await heard(players[1], match_id, said)).said.speech.text == "One more?"
        time.advance(1)
        failure = await failure_of(players[0].say(match_id, "Anybody?"))
        assert (failure.code, failure.reason) == (StatusCode.FAILED_PRECONDITION, "MATCH_OVER")
