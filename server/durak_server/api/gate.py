"""Who calls, and whether he may call now."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from structlog.contextvars import bind_contextvars

from durak_server.api.addresses import Addresses
from durak_server.api.callers import Caller, Identities, Scope, TokenExpired, TokenInvalid
from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed
from durak_server.api.key_set import KeysMissing
from durak_server.api.metadata import metadata_value
from durak_server.api.open_streams import OpenStreams
from durak_server.api.rate_limit import RateLimit
from durak_server.api.stream_places import StreamPlaces
from durak_server.pb.durak.v1 import error_pb2 as pb
from durak_server.runtime import Bans, Presences
from durak_server.store import Ban

_SCHEME: Final = "bearer "


class Gate:
    """Checks tokens and limits.

    Args:
        identities: tells whose token it is.
        addresses: tells where a call comes from.
        calls: how fast each player may call.
        guests: how fast guests may be made from each address.
        streams: how many event streams each player may have open, and each address.
        presences: is told of every call and stream.
        bans: tells who is kept out.
        now: the time that tokens go by.
    """

    def __init__(
        self,
        identities: Identities,
        addresses: Addresses,
        calls: RateLimit,
        guests: RateLimit,
        streams: StreamPlaces,
        presences: Presences,
        bans: Bans,
        now: Callable[[], datetime],
    ) -> None:
        self._identities = identities
        self._addresses = addresses
        self._calls = calls
        self._guests = guests
        self._streams = streams
        self._presences = presences
        self._bans = bans
        self._now = now
        self._open = OpenStreams()

    async def enter(self, context: Context, wanted: Scope = Scope.PLAY) -> Caller:
        """Return who calls.

        Raises:
            CallFailed: the token is missing, invalid, expired or not for such calls, nobody can
                tell whose it is, he is banned, or he calls too fast.
        """
        caller = await self._caller(context)
        self._calls.admit(caller.player_id)
        refuse_without(caller, wanted)
        self.refuse_banned(caller.player_id)
        self._presences.saw(caller.player_id)
        return caller

    async def enter_admin(self, context: Context) -> Caller:
        """Return which operator calls; that does not make him present at a table.

        Raises:
            CallFailed: as `enter`, but for bans and rates: an operator can lift his own.
        """
        caller = await self._caller(context)
        refuse_without(caller, Scope.ADMIN)
        return caller

    def count(self, caller: Caller) -> None:
        """Count a command on the stream of somebody who was let in.

        The stream lives on when his token has expired, but that is no way round a new one.

        Raises:
            CallFailed: he calls too fast, or his token has expired.
        """
        self._calls.admit(caller.player_id)
        self.refuse_banned(caller.player_id)
        if caller.expires_at <= self._now().timestamp():
            raise _token_expired()
        self._presences.saw(caller.player_id)

    def charge(self, caller: Caller, calls: int) -> None:
        """Let what somebody was let in for count as so many calls more."""
        self._calls.charge(caller.player_id, calls)

    def enter_unknown(self, context: Context) -> None:
        """Let in somebody without a token.

        Raises:
            CallFailed: too many come from his address.
        """
        self._guests.admit(self._addresses.of(context))

    @contextmanager
    def stream_of(self, caller: Caller, context: Context) -> Iterator[None]:
        """Count a stream of the caller's, and of his address, until its call is over.

        Raises:
            CallFailed: there are as many as there may be, they are ended, or he was banned since
                he was let in.
        """
        self._streams.take(caller.player_id, context)
        with (
            self._open.one_of(caller.player_id),
            self._presences.stream_of(caller.player_id),
        ):
            self.refuse_banned(caller.player_id)
            yield

    def has_seen(self, player_id: str) -> bool:
        """Tell whether a player has a stream open, or has called a moment ago."""
        return self._presences.knows(player_id)

    def end_streams_of(self, player_id: str, failure: CallFailed) -> int:
        """End a player's streams with a failure; return how many."""
        return self._open.end(player_id, failure)

    def refuse_banned(self, player_id: str) -> None:
        """Do nothing if nobody keeps a player out.

        Raises:
            CallFailed: he is banned.
        """
        ban = self._bans.find(player_id)
        if ban:
            raise player_banned(ban)

    async def _caller(self, context: Context) -> Caller:
        caller = await self._verified(metadata_value(context, "authorization"))
        bind_contextvars(player=caller.player_id)
        return caller

    async def _verified(self, header: str) -> Caller:
        if not header:
            raise CallFailed(pb.ERROR_REASON_TOKEN_MISSING, "The call carries no token.")
        if header[: len(_SCHEME)].lower() != _SCHEME:
            raise CallFailed(
                pb.ERROR_REASON_TOKEN_INVALID, 'The metadata must be "authorization: Bearer TOKEN".'
            )
        try:
            return await self._identities.verify(header[len(_SCHEME) :].strip())
        except TokenInvalid as error:
            failure = _token_invalid(error.claim)
        except TokenExpired:
            failure = _token_expired()
        except KeysMissing:
            failure = CallFailed(
                pb.ERROR_REASON_KEYS_MISSING, "The keys of the identity provider cannot be read."
            )
        raise failure


def refuse_without(caller: Caller, wanted: Scope) -> None:
    """Do nothing if somebody's token is for such calls.

    Raises:
        CallFailed: it is not.
    """
    if not caller.may(wanted):
        raise CallFailed(
            pb.ERROR_REASON_SCOPE_MISSING,
            f"The token lacks the scope {wanted.value}.",
            metadata={"scope": wanted.value},
        )


def player_banned(ban: Ban) -> CallFailed:
    """Return the failure of whatever a banned player calls."""
    metadata = {"text": ban.text} if ban.text else {}
    if ban.until:
        metadata["until"] = ban.until.isoformat()
    said = f": {ban.text}" if ban.text else "."
    return CallFailed(
        pb.ERROR_REASON_PLAYER_BANNED, f"The player is banned{said}", metadata=metadata
    )


def _token_invalid(claim: str) -> CallFailed:
    if not claim:
        return CallFailed(
            pb.ERROR_REASON_TOKEN_INVALID, "The token was not signed for this server."
        )
    return CallFailed(
        pb.ERROR_REASON_TOKEN_INVALID,
        f"The token's claim {claim} is missing, or is not one that is taken here.",
        metadata={"claim": claim},
    )


def _token_expired() -> CallFailed:
    return CallFailed(pb.ERROR_REASON_TOKEN_EXPIRED, "The token's time is over.")
