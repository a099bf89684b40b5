"""Calls that change something count once, however often they have to be repeated."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import pairwise

import grpc
import pytest

from durak_client import Client, LimitReached, Match, Patience, Unavailable
from durak_client.errors import Refusal
from durak_client.pb.durak.v1 import play_service_pb2
from tests.client.players import QUICK, Chooser, match_with_bot, player
from tests.client.relays import Misdeeds, relay_to, wire_to
from tests.live_server import running_server


async def until_my_turn(match: Match) -> Match:
    async for update in match.follow(view_mode="on_turn"):
        if update.view and update.view.legal_moves:
            break
    return match


@asynccontextmanager
async def hasty_player(patience: Patience) -> AsyncIterator[Client]:
    """Connect a guest who was made without haste."""
    async with (
        running_server() as server,
        player(server.port) as client,
        player(server.port, token=client.token, patience=patience) as hasty,
    ):
        yield hasty


LOST = [
    grpc.StatusCode.UNAVAILABLE,
    # what proxies and broken transports make of it
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
]


@pytest.mark.parametrize("lost_as", LOST, ids=lambda code: code.name)
async def test_a_move_whose_answer_is_lost_is_repeated_and_made_once(
    lost_as: grpc.StatusCode,
) -> None:
    misdeeds = Misdeeds(lose_answers=2, lost_as=lost_as)
    async with (
        running_server() as server,
        relay_to(server.port, misdeeds) as relay,
        player(relay) as client,
    ):
        match = await until_my_turn(await match_with_bot(client))
        view = await match.view()
        events = await match.move(Chooser(1)(view))
        requests = [play_service_pb2.MakeMoveRequest.FromString(sent) for sent in misdeeds.moves]
        assert len(requests) == 3
        assert all(before == after for before, after in pairwise(requests))
        assert requests[0].request_id
        assert [event.sequence for event in events][:1] == [view.sequence + 1]


async def test_a_move_refused_for_haste_is_repeated_with_the_same_request_id() -> None:
    misdeeds = Misdeeds(refuse=3)
    async with (
        running_server() as server,
        relay_to(server.port, misdeeds) as relay,
        player(relay) as client,
    ):
        match = await until_my_turn(await match_with_bot(client))
        await match.move(Chooser(1)(await match.view()))
        assert len(misdeeds.moves) == 4
        assert len(set(misdeeds.moves)) == 1


async def test_two_moves_never_share_a_request_id() -> None:
    misdeeds = Misdeeds()
    async with (
        running_server() as server,
        relay_to(server.port, misdeeds) as relay,
        player(relay) as client,
    ):
        match = await match_with_bot(client)
        for _ in range(2):
            await until_my_turn(match)
            await match.move(Chooser(1)(await match.view()))
        first, second = map(play_service_pb2.MakeMoveRequest.FromString, misdeeds.moves)
        assert first.request_id != second.request_id


async def test_calls_end_with_the_refusal_once_the_deadline_has_passed() -> None:
    patience = Patience(deadline=timedelta(seconds=1), first_wait=timedelta(milliseconds=5))
    misdeeds = Misdeeds(refuse=1_000_000)
    async with (
        running_server() as server,
        relay_to(server.port, misdeeds) as relay,
        player(server.port) as client,
        player(relay, token=client.token, patience=patience) as hasty,
    ):
        match = await until_my_turn(await match_with_bot(client))
        move = Chooser(1)(await match.view())
        with pytest.raises(LimitReached) as refused:
            await hasty.match(match.match_id).move(move)
        assert refused.value.refusal.retry_seconds == 0.005


async def test_what_the_server_says_is_not_hidden_by_a_try_with_hardly_any_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(random, "uniform", lambda least, _: least)
    patience = Patience(deadline=timedelta(seconds=1))
    refusal = Refusal(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN", retry_seconds=0.96)
    tries = []

    async def refused_once(_: object, seconds: float) -> None:
        tries.append(seconds)
        raise Unavailable(refusal)

    async with hasty_player(patience) as client:
        with pytest.raises(Unavailable) as refused:
            await client.calls.repeated(refused_once)
    assert (refused.value.refusal, len(tries)) == (refusal, 1)


async def test_what_the_server_says_is_not_hidden_by_later_tries_without_an_answer() -> None:
    patience = Patience(deadline=timedelta(seconds=0.2), first_wait=timedelta(milliseconds=1))
    refusal = Refusal(grpc.StatusCode.UNAVAILABLE, message="the certificate is for another name")
    silence = Refusal(grpc.StatusCode.DEADLINE_EXCEEDED)
    tries: list[Refusal] = []

    async def refused_once_then_not_answered(_: object, seconds: float) -> None:
        tries.append(silence if tries else refusal)
        raise Unavailable(tries[-1])

    async with hasty_player(patience) as client:
        with pytest.raises(Unavailable) as refused:
            await client.calls.repeated(refused_once_then_not_answered)
    assert (refused.value.refusal, tries[-1]) == (refusal, silence)


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    patience = Patience(deadline=timedelta(seconds=0.2), first_wait=timedelta(milliseconds=5))
    async with wire_to(1) as wire:
        with pytest.raises(Unavailable) as refused:
            await Client.connect(f"127.0.0.1:{wire.port}", name="Vasya", patience=patience)
    assert refused.value.code in {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }


async def test_a_call_on_a_frozen_connection_is_answered_over_a_new_one() -> None:
    patience = Patience(deadline=timedelta(seconds=6), first_wait=timedelta(milliseconds=5))
    async with (
        running_server() as server,
        wire_to(server.port) as wire,
        player(wire.port, patience=patience) as client,
    ):
        match = await client.create_match(seats=2)
        wire.freeze()
        assert await match.add_bot() == 1


async def test_a_client_needs_a_name_or_a_token() -> None:
    with pytest.raises(ValueError, match="give a name, or the token of an earlier guest"):
        await Client.connect("127.0.0.1:1", patience=QUICK)
