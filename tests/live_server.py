"""A real server in the test's own process, and guests who call it over a real connection."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2
from grpc import aio

from durak_server.app import DurakServer, serving
from durak_server.config import load_settings
from durak_server.pb.durak.v1 import (
    auth_service_pb2,
    auth_service_pb2_grpc,
    event_pb2,
    lobby_service_pb2,
    lobby_service_pb2_grpc,
    match_pb2,
    move_pb2,
    play_service_pb2,
    play_service_pb2_grpc,
    replay_service_pb2_grpc,
    talk_pb2,
    view_pb2,
)
from durak_server.runtime import Timekeeper

QUICK: dict[str, Any] = {  # Any: each setting has a type of its own
    "listen": "127.0.0.1:0",
    "metrics_listen": "",
    "store": "memory",
    "bot_delay_min_seconds": 0,
    "bot_delay_max_seconds": 0,
    "drain_settle_seconds": 0,
    "presence_grace_seconds": 86_400,
    "refusal_hold_seconds": 0,
    "lobby_pause_seconds": 0,
    "calls_per_second": 2_000,
    "address_calls_per_second": 5_000,
    "streams_per_player": 1_000,
    "matches_made_per_second": 5_000,
    "drain_grace_seconds": 5,
}

Metadata = tuple[tuple[str, str], ...]


@asynccontextmanager
async def running_server(
    **settings: Any,  # Any: each setting has a type of its own
) -> AsyncIterator[DurakServer]:
    """Serve with quick settings, some replaced, until the end of the block."""
    async with serving(load_settings(**(QUICK | settings))) as server:
        yield server


@asynccontextmanager
async def server_at(
    time: Timekeeper,
    **settings: Any,  # Any: as above
) -> AsyncIterator[DurakServer]:
    """Serve as `running_server` does, but by another time."""
    async with serving(load_settings(**(QUICK | settings)), time) as server:
        yield server


@asynccontextmanager
async def connected(server: DurakServer, **options: int) -> AsyncIterator["Calls"]:
    """Connect to a server; double underscores in the names of channel options are dots."""
    chosen = [(f"grpc.{name.replace('__', '.')}", value) for name, value in options.items()]
    async with aio.insecure_channel(f"127.0.0.1:{server.port}", options=chosen) as channel:
        yield Calls(channel)


class Calls:
    """The stubs of one connection."""

    def __init__(self, channel: aio.Channel) -> None:
        self.channel = channel
        self.auth = auth_service_pb2_grpc.AuthServiceStub(channel)
        self.lobby = lobby_service_pb2_grpc.LobbyServiceStub(channel)
        self.play = play_service_pb2_grpc.PlayServiceStub(channel)
        self.replay = replay_service_pb2_grpc.ReplayServiceStub(channel)

    async def guest(self, name: str = "Vasya", metadata: "Metadata" = ()) -> "Guest":
        """Become somebody."""
        request = auth_service_pb2.CreateGuestRequest(name=name)
        made = await self.auth.CreateGuest(request, metadata=metadata)
        return Guest(self, name, made.player_id, made.token)

    async def guests(self, number: int) -> list["Guest"]:
        """Become several."""
        return [await self.guest(f"Guest {index}") for index in range(number)]


@dataclass(frozen=True)
class Guest:
    """A player; each method is one call, its arguments the fields of the request."""

    calls: Calls
    name: str
    player_id: str
    token: str

    @property
    def metadata(self) -> Metadata:
        """What proves who calls."""
        return (("authorization", f"Bearer {self.token}"),)

    async def create(
        self,
        **fields: Any,  # Any: as in all these methods, each field has a type of its own
    ) -> lobby_service_pb2.CreateMatchResponse:
        request = lobby_service_pb2.CreateMatchRequest(**fields)
        return await self.calls.lobby.CreateMatch(request, metadata=self.metadata)

    async def join(self, match_id: str = "", **fields: Any) -> lobby_service_pb2.JoinMatchResponse:
        if match_id:
            fields["match_id"] = match_id
        request = lobby_service_pb2.JoinMatchRequest(**fields)
        return await self.calls.lobby.JoinMatch(request, metadata=self.metadata)

    async def quick(self, **fields: Any) -> lobby_service_pb2.QuickMatchResponse:
        request = lobby_service_pb2.QuickMatchRequest(**fields)
        return await self.calls.lobby.QuickMatch(request, metadata=self.metadata)

    async def leave(self, match_id: str, **fields: Any) -> int:
        request = lobby_service_pb2.LeaveMatchRequest(match_id=match_id, **fields)
        answer = await self.calls.lobby.LeaveMatch(request, metadata=self.metadata)
        return answer.sequence

    async def start(self, match_id: str, **fields: Any) -> match_pb2.MatchInfo:
        request = lobby_service_pb2.StartMatchRequest(match_id=match_id, **fields)
        return (await self.calls.lobby.StartMatch(request, metadata=self.metadata)).info

    async def remove(self, match_id: str, player_id: str, **fields: Any) -> match_pb2.MatchInfo:
        request = lobby_service_pb2.RemovePlayerRequest(
            match_id=match_id, player_id=player_id, **fields
        )
        return (await self.calls.lobby.RemovePlayer(request, metadata=self.metadata)).info

    async def release_seats(self, match_id: str, **fields: Any) -> match_pb2.MatchInfo:
        request = lobby_service_pb2.ReleaseSeatsRequest(match_id=match_id, **fields)
        return (await self.calls.lobby.ReleaseSeats(request, metadata=self.metadata)).info

    async def set_ready(self, match_id: str, **fields: Any) -> match_pb2.MatchInfo:
        request = lobby_service_pb2.SetReadyRequest(match_id=match_id, **fields)
        return (await self.calls.lobby.SetReady(request, metadata=self.metadata)).info

    async def renew_invite(self, match_id: str, **fields: Any) -> match_pb2.MatchInfo:
        request = lobby_service_pb2.RenewInviteRequest(match_id=match_id, **fields)
        return (await self.calls.lobby.RenewInvite(request, metadata=self.metadata)).info

    async def rematch(self, match_id: str, **fields: Any) -> str:
        request = lobby_service_pb2.RematchRequest(match_id=match_id, **fields)
        return (await self.calls.lobby.Rematch(request, metadata=self.metadata)).next_match_id

    async def add_seed(self, match_id: str, **fields: Any) -> int:
        request = play_service_pb2.AddSeedRequest(match_id=match_id, **fields)
        return (await self.calls.play.AddSeed(request, metadata=self.metadata)).sequence

    async def add_bot(self, match_id: str, **fields: Any) -> lobby_service_pb2.AddBotResponse:
        request = lobby_service_pb2.AddBotRequest(match_id=match_id, **fields)
        return await self.calls.lobby.AddBot(request, metadata=self.metadata)

    async def matches(self, **fields: Any) -> lobby_service_pb2.ListMatchesResponse:
        request = lobby_service_pb2.ListMatchesRequest(**fields)
        return await self.calls.lobby.ListMatches(request, metadata=self.metadata)

    async def watch_lobby(
        self,
        **filter_: Any,  # Any: as above
    ) -> AsyncGenerator[lobby_service_pb2.WatchLobbyResponse, None]:
        """Yield what the lobby's stream tells until it ends; an error of it is raised."""
        request = lobby_service_pb2.WatchLobbyRequest(
            filter=lobby_service_pb2.MatchFilter(**filter_)
        )
        call = self.calls.lobby.WatchLobby(request, metadata=self.metadata)
        try:
            async for answer in call:
                yield answer
        finally:
            call.cancel()

    async def my_matches(self, **fields: Any) -> lobby_service_pb2.ListMyMatchesResponse:
        request = lobby_service_pb2.ListMyMatchesRequest(**fields)
        return await self.calls.lobby.ListMyMatches(request, metadata=self.metadata)

    async def move(
        self, match_id: str, move: move_pb2.Move | None = None, **fields: Any
    ) -> play_service_pb2.MakeMoveResponse:
        request = play_service_pb2.MakeMoveRequest(match_id=match_id, move=move, **fields)
        return await self.calls.play.MakeMove(request, metadata=self.metadata)

    async def say(self, match_id: str, text: str = "", **fields: Any) -> int:
        """Say a text, or what the fields of a speech say; return the number of the event."""
        request_id = fields.pop("request_id", "")
        if text:
            fields["text"] = text
        speech = talk_pb2.Speech(**fields)
        request = play_service_pb2.SayRequest(
            match_id=match_id, request_id=request_id, speech=speech
        )
        return (await self.calls.play.Say(request, metadata=self.metadata)).sequence

    async def look(self, match_id: str) -> play_service_pb2.GetViewResponse:
        request = play_service_pb2.GetViewRequest(match_id=match_id)
        return await self.calls.play.GetView(request, metadata=self.metadata)

    async def view(self, match_id: str) -> view_pb2.View:
        return (await self.look(match_id)).view

    async def follow(
        self, match_id: str, after: int = 0, **fields: Any
    ) -> AsyncGenerator[play_service_pb2.Update, None]:
        """Yield updates until the stream ends; an error of the stream is raised."""
        request = play_service_pb2.StreamEventsRequest(
            match_id=match_id, after_sequence=after, **fields
        )
        call = self.calls.play.StreamEvents(request, metadata=self.metadata)
        try:
            async for answer in call:
                yield answer.update
        finally:
            call.cancel()

    async def followed(self, match_id: str, after: int = 0) -> list[event_pb2.Event]:
        """Follow a match to its end and return all its events after a sequence."""
        return [event async for update in self.follow(match_id, after) for event in update.events]


@dataclass(frozen=True)
class Failure:
    """All that a failed call tells."""

    code: grpc.StatusCode
    reason: str
    text: str
    metadata: dict[str, str] = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    """The fields that were violated."""
    retry_seconds: float | None = None
    pushback_ms: str | None = None


async def failure_of(call: Awaitable[object]) -> Failure:
    """Return how a call fails; it must."""
    try:
        answer = await call
    except aio.AioRpcError as error:
        return read_failure(error)
    raise AssertionError(f"the call succeeded: {answer}")


def read_failure(error: aio.AioRpcError) -> Failure:
    """Return what an error tells: its status, and one detail of each kind."""
    trailers: dict[str, Any] = dict(error.trailing_metadata())  # Any: text or bytes
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    assert (status.code, status.message) == (error.code().value[0], error.details())
    info, bad, retry = (
        error_details_pb2.ErrorInfo(),
        error_details_pb2.BadRequest(),
        error_details_pb2.RetryInfo(),
    )
    unpacked = [
        [detail.Unpack(into) for into in (info, bad, retry)].index(True)
        for detail in status.details
    ]
    assert unpacked == sorted(set(unpacked)), "one detail of a kind"
    assert info.domain == "durak.v1"
    return Failure(
        code=error.code(),
        reason=info.reason,
        text=error.details() or "",
        metadata=dict(info.metadata),
        fields=tuple(violation.field for violation in bad.field_violations),
        retry_seconds=retry.retry_delay.ToMilliseconds() / 1000 if 2 in unpacked else None,
        pushback_ms=trailers.get("grpc-retry-pushback-ms"),
    )


def first_move(view: view_pb2.View) -> move_pb2.Move:
    """Return the first of a view's legal moves, with the fewest cards; there must be one."""
    group = view.legal_moves[0]
    return move_pb2.Move(kind=group.kind, cards=group.cards[: group.min_cards], target=group.target)


async def started_match(
    seats: int,
    players: list[Guest],
    **fields: Any,  # Any: as in Guest
) -> str:
    """Let players make, fill and start a match, in their order; return its id."""
    rules = {"seats": seats} | fields.pop("rules", {})
    made = await players[0].create(rules=rules, **fields)
    for player in players[1:]:
        await player.join(made.info.match_id)
    for _ in range(seats - len(players)):
        await players[0].add_bot(made.info.match_id)
    await players[0].start(made.info.match_id)
    return made.info.match_id


async def play_to_the_end(match_id: str, players: list[Guest]) -> None:
    """Let players make first moves, one at a time, until the match is over.

    House bots may be faster: then the player looks again.
    """
    over = (match_pb2.MATCH_STATUS_FINISHED, match_pb2.MATCH_STATUS_ABANDONED)
    while True:
        for player in players:
            view = await player.view(match_id)
            if view.status in over:
                return
            if view.legal_moves:
                await _move_unless_stale(player, view)
                break


async def _move_unless_stale(player: Guest, view: view_pb2.View) -> None:
    try:
        await player.move(view.match_id, first_move(view), expected_sequence=view.sequence)
    except aio.AioRpcError as error:
        if read_failure(error).reason not in ("STALE_SEQUENCE", "MATCH_OVER"):
            raise


def metric(server: DurakServer, name: str, **labels: str) -> float:
    """Return a metric's value now; 0 if there is none yet."""
    return server.metrics.registry.get_sample_value(name, labels) or 0.0


async def until(holds: Callable[[], bool], guest: Guest) -> None:
    """Call the server until something holds, that is sure to come about soon."""
    for _ in range(1_000):
        if holds():
            return
        await guest.my_matches()
    raise AssertionError("it did not come about")
