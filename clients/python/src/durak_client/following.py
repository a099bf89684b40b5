"""Following a match through lost connections."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TypeVar

import grpc

from durak_client.calls import Calls
from durak_client.channel import Stubs
from durak_client.errors import Refusal, Refused, Unavailable
from durak_client.events import Event, Said, Update
from durak_client.open_enum import OpenEnum
from durak_client.patience import pause_seconds
from durak_client.pb.durak.v1 import play_service_pb2
from durak_client.wire_events import update as from_wire

Message = TypeVar("Message")

StreamCall = grpc.aio.UnaryStreamCall[
    play_service_pb2.StreamEventsRequest, play_service_pb2.StreamEventsResponse
]

# Everything else means: this connection is over, the match is not.
FOR_GOOD = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.OUT_OF_RANGE,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)

_MOST_MUTED = 64


class ViewMode(OpenEnum):
    """When updates carry a view."""

    UNSPECIFIED = 0
    ALWAYS = 1
    ON_TURN = 2
    NEVER = 3


@dataclass(frozen=True, slots=True)
class Lost:
    """A connection was lost; the next try comes after `wait_seconds`."""

    cause: Refused
    wait_seconds: float


class Following:
    """One follower of one match: asks for the stream again after every end that is not final."""

    def __init__(
        self,
        calls: Calls,
        match_id: str,
        view_mode: ViewMode,
        on_lost: Callable[[Lost], None] | None,
        *,
        muted: Collection[str],
        rematch: bool,
    ) -> None:
        self._calls = calls
        self._match_id = match_id
        self._view_mode = view_mode
        self._on_lost = on_lost
        self._muted = muted
        self._rematch = rematch
        self._waits = calls.patience.waits()

    async def updates(self, after: int) -> AsyncGenerator[Update, None]:
        """Yield what happens after the event numbered `after`, each event once and in order.

        Raises:
            Refused: the server will never serve this stream, such as `NotFound` or `Denied`.
            NotUnderstood: the server's answers are none.
            ClientClosed: the client was closed.
        """
        while True:
            cause: Refused = broken("the stream ended before the match")
            token = self._calls.token
            try:
                async with aclosing(self._connection(after)) as connection:
                    async for update in connection:
                        after = update.sequence
                        yield update
                        if update.is_final:
                            return
            except Refused as refusal:
                if await is_for_good(self._calls, refusal, token):
                    raise
                cause = refusal
            await self._pause(cause)

    async def _connection(self, after: int) -> AsyncGenerator[Update, None]:
        """Yield the updates of one stream, without heartbeats and events seen before.

        Waits are short again once a second update came: a server that answers every call and
        breaks off at once must not be called without a pause.
        """
        request = play_service_pb2.StreamEventsRequest(
            match_id=self._match_id,
            after_sequence=after,
            view_mode=play_service_pb2.ViewMode.ValueType(self._view_mode),
            follow_rematch=self._rematch,
            muted_player_ids=first_muted(self._muted),
        )
        stubs = self._calls.connection.stubs
        with self._calls.errors_translated():
            metadata = self._calls.metadata(self._match_id)
            call = stubs.playing.StreamEvents(request, metadata=metadata)
        received = 0
        try:
            while (update := await self._read(call, stubs)) is not None:
                received += 1
                if received > 1:
                    self._waits = self._calls.patience.waits()
                update = new_part(update, after, self._muted)
                after = update.sequence
                if update.events or update.view or update.info or update.is_final:
                    yield update
        finally:
            call.cancel()

    async def _read(self, call: StreamCall, stubs: Stubs) -> Update | None:
        """Return the next update, None at the stream's end."""
        message = await heard(self._calls, call.read, stubs)
        if isinstance(message, play_service_pb2.StreamEventsResponse):
            return from_wire(message.update)
        return None

    async def _pause(self, cause: Refused) -> None:
        wait = pause_seconds(next(self._waits), cause.refusal.retry_seconds)
        if self._on_lost is not None:
            self._on_lost(Lost(cause, wait))
        await asyncio.sleep(wait)


async def is_for_good(calls: Calls, refusal: Refused, token: str) -> bool:
    """Return whether a stream begun with `token` will be refused again, whatever is waited.

    Raises:
        Refused: its time is over, and nobody gave the next one.
    """
    return refusal.code in FOR_GOOD and not await calls.may_renew(refusal, token)


def first_muted(muted: Collection[str]) -> list[str]:
    """Return of the muted players as many as a request may name."""
    return sorted(muted)[:_MOST_MUTED]


def new_part(update: Update, after: int, muted: Collection[str] = ()) -> Update:
    """Return `update` without events up to `after` and without a view from before it.

    What the players in `muted` say is left out.

    Raises:
        Unavailable: an event is missing; a new stream from `after` brings it.
    """
    fresh = tuple(_heard(event, muted) for event in update.events if event.sequence > after)
    last = after + len(fresh)
    is_whole = [event.sequence for event in fresh] == list(range(after + 1, last + 1))
    if not is_whole or update.sequence > last:
        raise broken(f"an event after {after} is missing")
    view = update.view if update.view is not None and update.view.sequence >= last else None
    return replace(update, sequence=last, events=fresh, view=view)


def _heard(event: Event, muted: Collection[str]) -> Event:
    if isinstance(event.fact, Said) and event.fact.player_id in muted:
        return replace(event, fact=replace(event.fact, speech=None))
    return event


async def heard(calls: Calls, read: Callable[[], Awaitable[Message]], stubs: Stubs) -> Message:
    """Return what `read`, of a stream of `stubs`, brings next.

    Raises:
        Unavailable: it is broken, or nothing came for `patience.silence`; then the connection is
            given up.
    """
    silence = calls.patience.silence.total_seconds()
    try:
        async with asyncio.timeout(silence):
            with calls.errors_translated():
                return await read()
    except TimeoutError:
        calls.connection.give_up(stubs)
        raise broken(f"nothing came for {silence:g} seconds") from None


def broken(message: str) -> Unavailable:
    """Return why a stream has to be begun again."""
    return Unavailable(Refusal(grpc.StatusCode.UNAVAILABLE, message=message))
