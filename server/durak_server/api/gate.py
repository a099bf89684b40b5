"""Who calls, and whether he may call now."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from structlog.contextvars import bind_contextvars

from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed
from durak_server.api.metadata import metadata_value
from durak_server.api.token_bucket import TokenBuckets
from durak_server.api.tokens import Caller, TokenExpired, TokenInvalid, Tokens
from durak_server.pb.durak.v1 import error_pb2 as pb

_SCHEME: Final = "bearer "


class Gate:
    """Checks tokens and limits.

    Args:
        tokens: tells whose token it is.
        calls: how fast each player may call.
        guests: how fast guests may be made from each address.
        streams_per_player: how many event streams one player may have open.
    """

    def __init__(
        self, tokens: Tokens, calls: TokenBuckets, guests: TokenBuckets, streams_per_player: int
    ) -> None:
        self._tokens = tokens
        self._calls = calls
        self._guests = guests
        self._streams_per_player = streams_per_player
        self._streams: Counter[str] = Counter()

    def enter(self, context: Context) -> Caller:
        """Return who calls.

        Raises:
            CallFailed: the token is missing, invalid or expired, or he calls too fast.
        """
        caller = self._caller(metadata_value(context, "authorization"))
        bind_contextvars(player=caller.player_id)
        _refuse_waiting(self._calls.take(caller.player_id))
        return caller

    def enter_unknown(self, context: Context) -> None:
        """Let in somebody without a token.

        Raises:
            CallFailed: too many come from his address.
        """
        _refuse_waiting(self._guests.take(address_of(context.peer())))

    @contextmanager
    def stream_of(self, caller: Caller) -> Iterator[None]:
        """Count a stream of the caller's while it is open.

        Raises:
            CallFailed: he has as many as he may have.
        """
        if self._streams[caller.player_id] >= self._streams_per_player:
            raise CallFailed(
                pb.ERROR_REASON_TOO_MANY_STREAMS,
                f"The player has {self._streams_per_player} streams open, the most there may be.",
            )
        self._streams[caller.player_id] += 1
        try:
            yield
        finally:
            self._streams[caller.player_id] -= 1
            if not self._streams[caller.player_id]:
                del self._streams[caller.player_id]

    def _caller(self, header: str) -> Caller:
        if not header:
            raise CallFailed(pb.ERROR_REASON_TOKEN_MISSING, "The call carries no token.")
        if header[: len(_SCHEME)].lower() != _SCHEME:
            raise CallFailed(
                pb.ERROR_REASON_TOKEN_INVALID, 'The metadata must be "authorization: Bearer TOKEN".'
            )
        try:
            return self._tokens.verify(header[len(_SCHEME) :].strip())
        except TokenInvalid:
            failure = CallFailed(
                pb.ERROR_REASON_TOKEN_INVALID, "The token is not one of this server's."
            )
        except TokenExpired:
            failure = CallFailed(pb.ERROR_REASON_TOKEN_EXPIRED, "The token's time is over.")
        raise failure


def address_of(peer: str) -> str:
    """Return the address of a peer such as ipv4:127.0.0.1:54321, without the port."""
    return peer.rpartition(":")[0] or peer


def _refuse_waiting(seconds: float) -> None:
    if seconds:
        raise CallFailed(
            pb.ERROR_REASON_RATE_LIMITED,
            "Calls come faster than allowed.",
            retry_after_seconds=seconds,
        )
