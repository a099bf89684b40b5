"""One match, as the player who deals with it holds it in hand."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from durak_client import wire_events, wire_model
from durak_client.events import Event, Update
from durak_client.following import Lost, ViewMode
from durak_client.identifiers import new_request_id, new_seed
from durak_client.matches import BotLevel, MatchInfo
from durak_client.moves import LegalMove, Move
from durak_client.pb.durak.v1 import (
    lobby_service_pb2,
    match_pb2,
    play_service_pb2,
    replay_service_pb2,
)
from durak_client.replay import Replay
from durak_client.talk import Speech
from durak_client.view import View

if TYPE_CHECKING:
    from durak_client.client import Client


class Match:
    """A match by its id; made by `Client.create_match`, `Client.join` and `Client.match`.

    Every call may raise `Refused` (see `durak_client.errors`); nothing has changed then. Calls
    that change something may be repeated underneath: they count once.
    """

    def __init__(
        self, client: Client, match_id: str, info: MatchInfo | None = None, seat: int | None = None
    ) -> None:
        self.client = client
        self.match_id = match_id
        self.info = info
        """The match as it was in the last answer about it, None before the first."""
        self.seat = seat
        """The caller's own seat as far as it is known; see `View.seat`."""

    async def add_bot(self, level: str | BotLevel = "lowest", seat: int | None = None) -> int:
        """Seat a house bot, `random` or `lowest`; return its seat. Only the owner may."""
        answer = await self.client.calls.call(
            lambda stubs: stubs.lobby.AddBot,
            lobby_service_pb2.AddBotRequest(
                request_id=new_request_id(),
                match_id=self.match_id,
                level=match_pb2.BotLevel.ValueType(BotLevel.named(level)),
                seat=seat,
            ),
            self.match_id,
        )
        self.info = wire_model.match_info(answer.info)
        return answer.seat

    async def start(self, expected_sequence: int = 0) -> MatchInfo:
        """Close the seats and deal. Only the owner may, and every seat must be taken."""
        answer = await self.client.calls.call(
            lambda stubs: stubs.lobby.StartMatch,
            lobby_service_pb2.StartMatchRequest(
                request_id=new_request_id(),
                match_id=self.match_id,
                expected_sequence=expected_sequence,
            ),
            self.match_id,
        )
        self.info = wire_model.match_info(answer.info)
        return self.info

    async def leave(self, expected_sequence: int = 0) -> int:
        """Give the seat up for good; return the number of the last event this caused."""
        answer = await self.client.calls.call(
            lambda stubs: stubs.lobby.LeaveMatch,
            lobby_service_pb2.LeaveMatchRequest(
                request_id=new_request_id(),
                match_id=self.match_id,
                expected_sequence=expected_sequence,
            ),
            self.match_id,
        )
        return answer.sequence

    async def remove(self, player_id: str) -> MatchInfo:
        """Take a player's or a bot's seat from him, before the start. Only the owner may."""
        answer = await self.client.calls.call(
            lambda stubs: stubs.lobby.RemovePlayer,
            lobby_service_pb2.RemovePlayerRequest(
                request_id=new_request_id(), match_id=self.match_id, player_id=player_id
            ),
            self.match_id,
        )
        self.info = wire_model.match_info(answer.info)
        return self.info

    async def renew_invite(self, lifetime: timedelta | None = None) -> MatchInfo:
        """Make another invite code, before the start; the last one leads nowhere. For the owner.

        It is taken for `lifetime`, a minute to 30 days; None is the server's choice.
        """
        answer = await self.client.calls.call(
            lambda stubs: stubs.lobby.RenewInvite,
            lobby_service_pb2.RenewInviteRequest(
                request_id=new_request_id(),
                match_id=self.match_id,
                invite_lifetime=wire_model.to_duration(lifetime),
            ),
            self.match_id,
        )
        self.info = wire_model.match_info(answer.info)
        return self.info

    async def set_ready(self, is_ready: bool = True) -> MatchInfo:  # as said
        """Say whether one is ready for the start."""
        answer = await self.client.calls.call(
            lambda stubs: stubs.lobby.SetReady,
            lobby_service_pb2.SetReadyRequest(
                request_id=new_request_id(), match_id=self.match_id, is_ready=is_ready
            ),
            self.match_id,
        )
        self.info = wire_model.match_info(answer.info)
        return self.info

    async def release_seats(self) -> MatchInfo:
        """Let everybody have the seats that were reserved and are free. For the owner."""
        answer = await self.client.calls.call(
            lambda stubs: stubs.lobby.ReleaseSeats,
            lobby_service_pb2.ReleaseSeatsRequest(
                request_id=new_request_id(), match_id=self.match_id
            ),
            self.match_id,
        )
        self.info = wire_model.match_info(answer.info)
        return self.info

    async def rematch(self) -> Match | None:
        """Offer another match after this finished one, or accept it.

        Return the new match once all players have; None while some have not. Then
        `follow(..., rematch=True)` tells when it is made, and calling again does too.
        """
        answer = await self.client.calls.call(
            lambda stubs: stubs.lobby.Rematch,
            lobby_service_pb2.RematchRequest(request_id=new_request_id(), match_id=self.match_id),
            self.match_id,
        )
        if not answer.next_match_id:
            return None
        return Match(self.client, answer.next_match_id, seat=self.seat)

    async def view(self) -> View:
        """Return the match as the caller may see it now."""
        answer = await self.client.calls.call(
            lambda stubs: stubs.playing.GetView,
            play_service_pb2.GetViewRequest(match_id=self.match_id),
            self.match_id,
        )
        self.info = wire_model.match_info(answer.info)
        return wire_model.view(answer.view)

    async def move(
        self, move: Move | LegalMove, *, expected_sequence: int = 0
    ) -> tuple[Event, ...]:
        """Make a move and return the events it caused; of a group its lowest move is made.

        A match does not know its trump: `group.lowest(view.trump)` is what leaves trumps for last.
        A view with a lower sequence than the last of the events does not know of the move yet.
        With an `expected_sequence` the move is refused as `Stale` if anything happened since.
        """
        chosen = move.lowest() if isinstance(move, LegalMove) else move
        answer = await self._sent(
            play_service_pb2.MakeMoveRequest(
                request_id=new_request_id(),
                match_id=self.match_id,
                expected_sequence=expected_sequence,
                move=wire_model.to_move(chosen),
            )
        )
        return tuple(map(wire_events.event, answer.events))

    async def add_seed(self, commitment: bytes, seed: bytes | None = None) -> bytes:
        """Add a seed of one's own to the shuffle with this commitment; return the seed.

        Without `seed`, of 1 to 64 bytes, it is a random one. `RuleRefused` says that the deal has
        begun, or that the player has added a seed to this shuffle before.
        """
        seed = new_seed() if seed is None else seed
        await self.client.calls.call(
            lambda stubs: stubs.playing.AddSeed,
            play_service_pb2.AddSeedRequest(
                request_id=new_request_id(),
                match_id=self.match_id,
                commitment=commitment,
                seed=seed,
            ),
            self.match_id,
        )
        return seed

    async def say(self, speech: Speech) -> int:
        """Say something at the table, words or a ready-made phrase; return its event's number.

        `RuleRefused` says that the rules want no talk, or phrases only, or that the match is over
        and nobody waits for another. Who talks too fast waits.
        """
        request = play_service_pb2.SayRequest(
            request_id=new_request_id(),
            match_id=self.match_id,
            speech=wire_model.to_speech(speech),
        )
        return (await self._said(request)).sequence

    def follow(
        self,
        after: int = 0,
        *,
        view_mode: str | ViewMode = "always",
        rematch: bool = False,
        on_lost: Callable[[Lost], None] | None = None,
    ) -> AsyncGenerator[Update, None]:
        """Yield what happens after the event numbered `after`; see `Client.follow`."""
        return self.client.follow(
            self, after, view_mode=view_mode, rematch=rematch, on_lost=on_lost
        )

    async def replay(self) -> Replay:
        """Return all events so far, with open cards once the match is over."""
        events: list[Event] = []
        is_open = False
        while True:
            page = await self.client.calls.call(
                lambda stubs: stubs.replaying.GetReplay,
                replay_service_pb2.GetReplayRequest(
                    match_id=self.match_id, after_sequence=len(events)
                ),
                self.match_id,
            )
            if events and page.open_cards != is_open:
                events.clear()  # the match ended between two pages: begin anew, open
            else:
                events += map(wire_events.event, page.events)
            is_open = page.open_cards
            if len(events) >= page.info.sequence:
                self.info = wire_model.match_info(page.info)
                return Replay(self.info, tuple(events), is_open)

    async def view_at(
        self, sequence: int, seat: int | None = None, *, open_cards: bool = False
    ) -> View:
        """Return the match as it was after the event `sequence`, 0 for the last.

        Once the match is over from any `seat`, or with `open_cards` from none; before that from
        the caller's own, which None means as well.
        """
        answer = await self.client.calls.call(
            lambda stubs: stubs.replaying.GetViewAt,
            replay_service_pb2.GetViewAtRequest(
                match_id=self.match_id, sequence=sequence, seat=seat, open_cards=open_cards
            ),
            self.match_id,
        )
        return wire_model.view(answer.view)

    async def export(self) -> str:
        """Return the match, which must be over, as text (docs/notation.md of the server)."""
        answer = await self.client.calls.call(
            lambda stubs: stubs.replaying.ExportGame,
            replay_service_pb2.ExportGameRequest(match_id=self.match_id),
            self.match_id,
        )
        return answer.text

    async def _sent(
        self, request: play_service_pb2.MakeMoveRequest
    ) -> play_service_pb2.MakeMoveResponse:
        """Send a move, by a call of its own."""
        return await self.client.calls.call(
            lambda stubs: stubs.playing.MakeMove, request, self.match_id
        )

    async def _said(self, request: play_service_pb2.SayRequest) -> play_service_pb2.SayResponse:
        """Say something, by a call of its own."""
        return await self.client.calls.call(lambda stubs: stubs.playing.Say, request, self.match_id)
