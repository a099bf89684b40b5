"""Looking back: replays, views of the past and games as text, through a real server."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import grpc
import pytest

from durak_server.app import DurakServer
from durak_server.matches import game_log, parse_game
from durak_server.pb.durak.v1 import replay_service_pb2 as pb
from durak_server.pb.durak.v1.event_pb2 import Event
from durak_server.pb.durak.v1.view_pb2 import View
from tests.live_server import (
    Failure,
    Guest,
    connected,
    failure_of,
    first_move,
    play_to_the_end,
    running_server,
    started_match,
)


@pytest.fixture
async def server() -> AsyncIterator[DurakServer]:
    async with running_server() as server:
        yield server


@dataclass(frozen=True)
class Looker:
    """A guest who looks back."""

    guest: Guest

    async def replay(self, match_id: str, after: int = 0, size: int = 0) -> pb.GetReplayResponse:
        request = pb.GetReplayRequest(match_id=match_id, after_sequence=after, page_size=size)
        return await self.guest.calls.replay.GetReplay(request, metadata=self.guest.metadata)

    async def view(
        self, match_id: str, sequence: int, seat: int | None = None, *, open_cards: bool = False
    ) -> View:
        request = pb.GetViewAtRequest(
            match_id=match_id, sequence=sequence, seat=seat, open_cards=open_cards
        )
        answer = await self.guest.calls.replay.GetViewAt(request, metadata=self.guest.metadata)
        return answer.view

    async def export(self, match_id: str) -> str:
        request = pb.ExportGameRequest(match_id=match_id)
        answer = await self.guest.calls.replay.ExportGame(request, metadata=self.guest.metadata)
        return answer.text


async def test_in_play_a_replay_is_what_the_caller_saw(server: DurakServer) -> None:
    async with connected(server) as calls:
        players = await calls.guests(2)
        spectator = await calls.guest("Spectator")
        match_id = await started_match(2, players)
        views: dict[str, dict[int, View]] = {guest.name: {} for guest in (*players, spectator)}
        for _ in range(6):
            for guest in (*players, spectator):
                view = await guest.view(match_id)
                views[guest.name][view.sequence] = view
            movers = [guest for guest in players if (await guest.view(match_id)).legal_moves]
            await movers[0].move(match_id, first_move(await movers[0].view(match_id)))
        for guest in (*players, spectator):
            replay = await Looker(guest).replay(match_id)
            stream = guest.follow(match_id)
            update = await anext(stream)
            await stream.aclose()
            assert (list(replay.events), replay.open_cards) == (list(update.events), False)
            assert replay.info == update.info
            for sequence, seen in views[guest.name].items():
                assert await Looker(guest).view(match_id, sequence) == seen


async def test_once_it_is_over_all_cards_are_open(server: DurakServer) -> None:
    async with connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        opening = await players[1].view(match_id)
        await play_to_the_end(match_id, players)
        looker = Looker(await calls.guest("Looker"))
        replay = await looker.replay(match_id)
        dealt = next(
            event.deal_started for event in replay.events if event.HasField("deal_started")
        )
        assert replay.open_cards
        assert [hand.seat for hand in dealt.dealt_hands] == [0, 1]
        assert list(dealt.dealt_hands[1].cards) == list(opening.deal.seats[1].hand)
        assert (len(dealt.order), len(set(dealt.order)), list(dealt.hand)) == (36, 36, [])
        draws = [event.drew for event in replay.events if event.HasField("drew")]
        assert draws
        assert all(len(drew.cards) == drew.count for drew in draws)
        assert await looker.view(match_id, opening.sequence, 1) == opening
        shown = await looker.view(match_id, opening.sequence, open_cards=True)
        assert [list(seat.hand) for seat in shown.deal.seats] == [
            list(hand.cards) for hand in dealt.dealt_hands
        ]
        assert (shown.HasField("seat"), list(shown.legal_moves)) == (False, [])
        assert await looker.view(match_id, 0, 0) == await players[0].view(match_id)


async def test_pages_make_up_the_whole(server: DurakServer) -> None:
    async with connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        await play_to_the_end(match_id, players)
        looker = Looker(players[0])
        whole = await looker.replay(match_id)
        paged: list[Event] = []
        while not paged or paged[-1].sequence < whole.info.sequence:
            page = await looker.replay(match_id, paged[-1].sequence if paged else 0, 7)
            assert 1 <= len(page.events) <= 7
            paged += page.events
        assert paged == list(whole.events)
        assert list((await looker.replay(match_id, whole.info.sequence)).events) == []


async def test_an_exported_game_plays_to_the_same_end(server: DurakServer) -> None:
    async with connected(server) as calls:
        players = await calls.guests(3)
        match_id = await started_match(3, players)
        await play_to_the_end(match_id, players)
        game = parse_game(await Looker(players[0]).export(match_id))
        final = await players[0].view(match_id)
    assert game_log(game)
    assert (game.match_id, [who.name for who in game.seats if who]) == (
        match_id,
        ["Guest 0", "Guest 1", "Guest 2"],
    )
    (deal,) = game.deals
    assert deal.result
    assert deal.result.fools == tuple(final.deal.result.fools)


NOT_OVER = Failure(
    grpc.StatusCode.FAILED_PRECONDITION,
    "MATCH_NOT_OVER",
    "The match is not over.",
)


async def test_hidden_cards_are_refused_in_play(server: DurakServer) -> None:
    async with connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        looker = Looker(players[0])
        assert await failure_of(looker.view(match_id, 0, 1)) == NOT_OVER
        assert await failure_of(looker.view(match_id, 0, open_cards=True)) == NOT_OVER
        assert await failure_of(looker.view(match_id, 0, 0, open_cards=True)) == NOT_OVER
        assert await failure_of(looker.export(match_id)) == NOT_OVER
        stranger = Looker(await calls.guest("Stranger"))
        assert await failure_of(stranger.view(match_id, 0, 0)) == NOT_OVER
        assert (await looker.view(match_id, 0, 0)) == await players[0].view(match_id)


async def test_what_is_not_there_is_refused(server: DurakServer) -> None:
    async with connected(server) as calls:
        players = await calls.guests(2)
        looker, stranger = Looker(players[0]), Looker(await calls.guest())
        match_id = await started_match(2, players, spectators="SPECTATORS_NONE")
        for refused, code, reason in [
            (looker.replay(match_id, 900), grpc.StatusCode.OUT_OF_RANGE, "SEQUENCE_AHEAD"),
            (looker.view(match_id, 900), grpc.StatusCode.OUT_OF_RANGE, "SEQUENCE_AHEAD"),
            (looker.view(match_id, 0, 2), grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"),
            (looker.replay(match_id, 0, 1001), grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"),
            (looker.replay("nowhere"), grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"),
            (looker.view("nowhere", 0), grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"),
            (looker.export("nowhere"), grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"),
            (stranger.replay(match_id), grpc.StatusCode.PERMISSION_DENIED, "SPECTATORS_REFUSED"),
            (stranger.view(match_id, 0), grpc.StatusCode.PERMISSION_DENIED, "SPECTATORS_REFUSED"),
            (stranger.export(match_id), grpc.StatusCode.PERMISSION_DENIED, "SPECTATORS_REFUSED"),
        ]:
            failure = await failure_of(refused)
            assert (failure.code, failure.reason) == (code, reason)
