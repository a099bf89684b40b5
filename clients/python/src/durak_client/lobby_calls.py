"""What a client asks of the lobby without sitting down."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable

from durak_client.calls import Calls
from durak_client.following import Lost
from durak_client.listed import listed
from durak_client.lobby import LobbyUpdate, WatchingLobby
from durak_client.match_filter import match_filter, status_numbers
from durak_client.matches import MatchInfo, MatchStatus, Option, Preset
from durak_client.pb.durak.v1 import lobby_service_pb2


class LobbyCalls:
    """Lists matches and watches them; `Client` adds what it takes to play."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    async def matches(
        self,
        *,
        statuses: Iterable[str | MatchStatus] = (),
        presets: Iterable[str | Preset] = (),
        has_free_seat: bool = False,
        has_no_password: bool = False,
        page_size: int = 0,
        **options: Option,
    ) -> AsyncIterator[MatchInfo]:
        """Iterate over public matches, newest first; without `statuses` those not over.

        `page_size` is how many are asked for at a time, at most 100; 0 is the server's choice.
        """
        filter_ = match_filter(
            statuses,
            presets,
            options,
            has_free_seat=has_free_seat,
            has_no_password=has_no_password,
        )
        request = lobby_service_pb2.ListMatchesRequest(page_size=page_size, filter=filter_)
        async for info in listed(self.calls, request):
            yield info

    def watch_lobby(
        self,
        *,
        statuses: Iterable[str | MatchStatus] = (),
        presets: Iterable[str | Preset] = (),
        has_free_seat: bool = False,
        has_no_password: bool = False,
        on_lost: Callable[[Lost], None] | None = None,
        **options: Option,
    ) -> AsyncGenerator[LobbyUpdate, None]:
        """Yield the public matches that `matches` would list, then what changes, for ever.

        Lost connections are made again, and `on_lost` is told of each.

        Raises:
            ValueError: a status, a preset, an option or its value has no such name.
            Refused: the server will never serve this, such as matches that are over.
            ClientClosed: the client was closed.
        """
        filter_ = match_filter(
            statuses,
            presets,
            options,
            has_free_seat=has_free_seat,
            has_no_password=has_no_password,
        )
        return WatchingLobby(self.calls, filter_, on_lost).updates()

    async def my_matches(
        self, *, statuses: Iterable[str | MatchStatus] = (), page_size: int = 0
    ) -> AsyncIterator[MatchInfo]:
        """Iterate over the matches at which this player sits, newest first; as `matches`."""
        request = lobby_service_pb2.ListMyMatchesRequest(
            page_size=page_size, statuses=status_numbers(statuses)
        )
        async for info in listed(self.calls, request):
            yield info
