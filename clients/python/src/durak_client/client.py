"""A player's connection to a server."""

from collections.abc import AsyncGenerator, Callable
from types import TracebackType
from typing import Self
from weakref import WeakSet

import grpc

from durak_client import wire_model
from durak_client.admission import ANYBODY, Admission
from durak_client.calls import Calls
from durak_client.channel import Connection
from durak_client.events import Update
from durak_client.following import Following, Lost, ViewMode
from durak_client.identifiers import new_seed
from durak_client.lobby_calls import LobbyCalls
from durak_client.match import Match
from durak_client.matches import (
    Option,
    Preset,
    Spectators,
    Visibility,
)
from durak_client.patience import Patience
from durak_client.pb.durak.v1 import auth_service_pb2, match_pb2
from durak_client.play_stream import PlayStream
from durak_client.renewal import NextToken, Renewal
from durak_client.seat_requests import create_request, join_request, quick_request
from durak_client.token_subject import token_subject

DEFAULT_TARGET = "127.0.0.1:50051"


class Client(LobbyCalls):
    """One player at one server; `connect` makes it, `async with` closes it.

    All calls may be made at once from one event loop. They raise `Refused` when the server says
    no, and repeat themselves for `patience.deadline` when it cannot be reached.
    """

    def __init__(
        self, connection: Connection, patience: Patience, next_token: NextToken | None = None
    ) -> None:
        renewal = Renewal(next_token, lambda: self.token, self.renew)
        super().__init__(Calls(connection, patience, renewal))
        self._streams: WeakSet[PlayStream] = WeakSet()
        self.player_id = ""
        """The player's id; empty if the token given does not tell it."""
        self.muted: set[str] = set()
        """Ids of players whom the caller does not want to hear: what they say has no content."""

    @classmethod
    async def connect(
        cls,
        target: str = DEFAULT_TARGET,
        *,
        name: str = "",
        token: str = "",
        next_token: NextToken | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        patience: Patience | None = None,
    ) -> Self:
        """Return a client for the player of `token`, or for a new guest called `name`.

        Without `credentials` (see `grpc.ssl_channel_credentials`) the connection is in the clear.
        The server sees a token with the first call only. When it says that a token has expired,
        `next_token` is asked for another of the same player, and what was refused is tried again;
        it may be a function or a coroutine function.

        Raises:
            ValueError: neither a name nor a token is given, or the target is a web address.
            Refused: the server makes no guest of this name, or cannot be reached.
        """
        if not name and not token:
            raise ValueError("give a name, or the token of an earlier guest")
        if not target or target.startswith(("http://", "https://")):
            raise ValueError(f"a server is named HOST:PORT, not {target!r}")
        patience = patience or Patience()
        client = cls(Connection(target, credentials, patience), patience, next_token)
        try:
            await client._sign_in(name, token)
        except BaseException:
            await client.close()
            raise
        return client

    @property
    def token(self) -> str:
        """The player's bearer token; whoever has it is the player."""
        return self.calls.token

    def renew(self, token: str) -> None:
        """Use another token of the same player from now on: the last one is about to expire.

        What is followed goes on; streams of `stream` are begun anew, since the server takes no
        moves on one whose token has expired.

        Raises:
            ValueError: it is the token of another player.
        """
        if token_subject(token) != self.player_id:
            raise ValueError("the token is another player's")
        self.calls.token = token
        for stream in self._streams:
            stream.begin_anew()

    async def create_match(
        self,
        preset: str | Preset = "podkidnoy",
        seats: int = 2,
        *,
        visibility: str | Visibility = "public",
        spectators: str | Spectators = "live",
        spectator_delay_seconds: int = 0,
        start_when_full: bool = False,
        admission: Admission = ANYBODY,
        adds_seed: bool = True,
        **options: Option,
    ) -> Match:
        """Make a match and sit down at it.

        With `adds_seed` a random seed of the player's own goes into the first shuffle, once the
        server has committed to its own. `spectators` are `none`, `live`, or `delayed` by 1 to 3600
        seconds; `admission` says who gets a seat. `options` are options of the rules by name, such
        as `throw_in="NEIGHBOURS"`.

        Raises:
            ValueError: a preset, an option or its value has no such name.
            InvalidRequest: the options contradict each other or are not played here.
        """
        request = create_request(
            preset,
            {"seats": seats, **options},
            visibility=visibility,
            spectators=spectators,
            spectator_delay_seconds=spectator_delay_seconds,
            start_when_full=start_when_full,
            admission=admission,
        )
        answer = await self.calls.call(
            lambda stubs: stubs.lobby.CreateMatch, request, request.match_id
        )
        match = self._match(answer.info, answer.seat)
        if adds_seed and answer.commitment:
            await match.add_seed(answer.commitment)
        return match

    async def join(
        self,
        match_id: str = "",
        *,
        invite_code: str = "",
        seat: int | None = None,
        seed: bytes | None = None,
        password: str = "",
    ) -> Match:
        """Take a seat at a public match by its id and password, or at any by its invite code.

        Joining again changes nothing. Without `seat` it is the first free one. `seed`, of 64 bytes
        at most, is the player's own for the next shuffle: a random one if it is None.
        """
        seed = new_seed() if seed is None else seed
        request = join_request(match_id, invite_code, seat, seed, password)
        answer = await self.calls.call(lambda stubs: stubs.lobby.JoinMatch, request, match_id)
        return self._match(answer.info, answer.seat)

    async def quick_match(
        self,
        preset: str | Preset = "podkidnoy",
        seats: int = 2,
        *,
        adds_seed: bool = True,
        **options: Option,
    ) -> Match:
        """Sit down at the oldest public match of these rules, else at a new one.

        It starts when its seats are taken. Calling again seats the player at one more match.

        Raises:
            ValueError, InvalidRequest: as `create_match`.
        """
        seed = new_seed() if adds_seed else b""
        request = quick_request(preset, {"seats": seats, **options}, seed)
        answer = await self.calls.call(lambda stubs: stubs.lobby.QuickMatch, request)
        match = self._match(answer.info, answer.seat)
        if answer.is_new and seed and answer.commitment:
            await match.add_seed(answer.commitment, seed)
        return match

    def match(self, match_id: str) -> Match:
        """Return the handle of a match known by its id; asks the server nothing."""
        return Match(self, match_id)

    def follow(
        self,
        match: Match | str,
        after: int = 0,
        *,
        view_mode: str | ViewMode = "always",
        rematch: bool = False,
        on_lost: Callable[[Lost], None] | None = None,
    ) -> AsyncGenerator[Update, None]:
        """Yield what happens in a match after the event numbered `after`, until it is over.

        Lost connections are made again for as long as it takes, and `on_lost` is told of each.
        Every event comes once and in order; a first update comes at once. `view_mode` says when
        updates carry a view: `always`, `on_turn` or `never`. With `rematch` it goes on after the
        end until another match is made, or the server has waited long enough for one.

        Raises:
            Refused: the server will never serve this stream, such as `NotFound` or `Denied`.
            ClientClosed: the client was closed.
        """
        match_id = match if isinstance(match, str) else match.match_id
        mode = ViewMode.named(view_mode)
        following = Following(
            self.calls, match_id, mode, on_lost, muted=self.muted, rematch=rematch
        )
        return following.updates(after)

    def stream(self, on_lost: Callable[[Lost], None] | None = None) -> PlayStream:
        """Return one stream for any number of matches, to be used with `async with`."""
        stream = PlayStream(self, on_lost)
        self._streams.add(stream)
        return stream

    async def close(self) -> None:
        """Close the connection; what is still running ends with `ClientClosed`."""
        await self.calls.connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _sign_in(self, name: str, token: str) -> None:
        if token:
            self.calls.token = token
            self.player_id = token_subject(token)
            return
        request = auth_service_pb2.CreateGuestRequest(name=name)
        guest = await self.calls.call(lambda stubs: stubs.auth.CreateGuest, request)
        self.calls.token = guest.token
        self.player_id = guest.player_id

    def _match(self, info: match_pb2.MatchInfo, seat: int) -> Match:
        return Match(self, info.match_id, wire_model.match_info(info), seat)
