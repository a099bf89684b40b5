"""Watching the lobby through lost connections."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from types import MappingProxyType

from durak_client.calls import Calls
from durak_client.errors import Refused
from durak_client.following import Lost, broken, heard, is_for_good
from durak_client.matches import MatchInfo
from durak_client.patience import pause_seconds
from durak_client.pb.durak.v1 import lobby_service_pb2
from durak_client.wire_model import match_info


@dataclass(frozen=True, slots=True)
class LobbyUpdate:
    """What is new in the lobby, and what is in it now.

    `matches` are all that fit, by id; `changed` fit before as well, and `removed`, as they were
    told last, fit no more. Moves change nothing.
    """

    matches: Mapping[str, MatchInfo]
    added: tuple[MatchInfo, ...] = ()
    changed: tuple[MatchInfo, ...] = ()
    removed: tuple[MatchInfo, ...] = ()


class WatchingLobby:
    """One watcher: asks for the stream again after every end."""

    def __init__(
        self,
        calls: Calls,
        filter_: lobby_service_pb2.MatchFilter,
        on_lost: Callable[[Lost], None] | None,
    ) -> None:
        self._calls = calls
        self._filter = filter_
        self._on_lost = on_lost
        self._waits = calls.patience.waits()

    async def updates(self) -> AsyncGenerator[LobbyUpdate, None]:
        """Yield the whole lobby, then what changes, for ever; a lost connection is no change.

        Raises:
            Refused: the server will never serve this stream.
            NotUnderstood: the server's answers are none.
            ClientClosed: the client was closed.
        """
        before: Mapping[str, MatchInfo] | None = None
        while True:
            cause: Refused = broken("the stream ended")
            token = self._calls.token
            try:
                async with aclosing(self._pictures()) as pictures:
                    async for now in pictures:
                        update = _difference(before or {}, now)
                        if before is None or update.added or update.changed or update.removed:
                            yield update
                        before = now
            except Refused as refusal:
                if await is_for_good(self._calls, refusal, token):
                    raise
                cause = refusal
            await self._pause(cause)

    async def _pictures(self) -> AsyncGenerator[Mapping[str, MatchInfo], None]:
        """Yield the matches that one stream tells of, first when its list is complete."""
        request = lobby_service_pb2.WatchLobbyRequest(filter=self._filter)
        stubs = self._calls.connection.stubs
        with self._calls.errors_translated():
            call = stubs.lobby.WatchLobby(request, metadata=self._calls.metadata())
        matches: dict[str, MatchInfo] = {}
        has_list = False
        try:
            while True:
                message = await heard(self._calls, call.read, stubs)
                if not isinstance(message, lobby_service_pb2.WatchLobbyResponse):
                    return
                _take_in(matches, message)
                if has_list:
                    # A server that lists and breaks off at once must not be called without pause.
                    self._waits = self._calls.patience.waits()
                has_list = has_list or message.is_complete
                if has_list:
                    yield MappingProxyType(dict(matches))
        finally:
            call.cancel()

    async def _pause(self, cause: Refused) -> None:
        wait = pause_seconds(next(self._waits), cause.refusal.retry_seconds)
        if self._on_lost is not None:
            self._on_lost(Lost(cause, wait))
        await asyncio.sleep(wait)


def _take_in(matches: dict[str, MatchInfo], message: lobby_service_pb2.WatchLobbyResponse) -> None:
    for info in (*message.added, *message.changed):
        matches[info.match_id] = match_info(info)
    for match_id in message.removed_match_ids:
        matches.pop(match_id, None)


def _difference(before: Mapping[str, MatchInfo], now: Mapping[str, MatchInfo]) -> LobbyUpdate:
    def those(match_ids: Iterable[str], where: Mapping[str, MatchInfo]) -> tuple[MatchInfo, ...]:
        return tuple(where[match_id] for match_id in match_ids)

    return LobbyUpdate(
        matches=now,
        added=those((match_id for match_id in now if match_id not in before), now),
        changed=those((one for one in now if one in before and now[one] != before[one]), now),
        removed=those((match_id for match_id in before if match_id not in now), before),
    )
