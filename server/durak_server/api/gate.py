"""Who calls, and whether he may call now."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from structlog.contextvars import bind_contextvars

from durak_server.api.addresses import Addresses
from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed
from durak_server.api.metadata import metadata_value
from durak_server.api.rate_limit import RateLimit
from durak_server.api.stream_count import StreamCount
from durak_server.api.tokens import Caller, TokenExpired, TokenInvalid, Tokens
from durak_server.pb.durak.v1 import error_pb2 as pb
from durak_server.runtime import Presences

_SCHEME: Final = "bearer "


class Gate:
    """Checks tokens and limits.

    Args:
        tokens: tells whose token it is.
        addresses: tells where a call comes from.
        calls: how fast each player may call.
        guests: how fast guests may be made from each address.
        streams: how many event streams each player may have open.
        presences: is told of every call and stream.
    """

    def __init__(
        self,
        tokens: Tokens,
        addresses: Addresses,
        calls: RateLimit,
        guests: RateLimit,
        streams: StreamCount,
        presences: Presences,
    ) -> None:
        self._tokens = tokens
        self._addresses = addresses
        self._calls = calls
        self._guests = guests
        self._streams = streams
        self._presences = presences

    def enter(self, context: Context) -> Caller:
        """Return who calls.

        Raises:
            CallFailed: the token is missing, invalid or expired, or he calls too fast.
        """
        caller = self._caller(metadata_value(context, "authorization"))
        bind_contextvars(player=caller.player_id)
        self.count(caller)
        return caller

    def count(self, caller: Caller) -> None:
        """Count a call of somebody who is in, or a command on his stream.

        Raises:
            CallFailed: he calls too fast.
        """
        self._calls.admit(caller.player_id)
        self._presences.saw(caller.player_id)

    def enter_unknown(self, context: Context) -> None:
        """Let in somebody without a token.

        Raises:
            CallFailed: too many come from his address.
        """
        self._guests.admit(self._addresses.of(context))

    @contextmanager
    def stream_of(self, caller: Caller) -> Iterator[None]:
        """Count a stream of the caller's while it is open.

        Raises:
            CallFailed: he has as many as he may have.
        """
        with (
            self._streams.one_of(caller.player_id, "The player"),
            self._presences.stream_of(caller.player_id),
        ):
            yield

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
