"""Calls that are repeated until they are answered."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import grpc

from durak_client.channel import Connection, Stubs
from durak_client.errors import ClientClosed, LimitReached, Refusal, Refused, Unavailable
from durak_client.patience import Patience, pause_seconds
from durak_client.refusals import refused
from durak_client.renewal import Renewal

Request = TypeVar("Request")
Response = TypeVar("Response")

Metadata = tuple[tuple[str, str], ...]

# A try gets a part of the time there is, so that a lost answer leaves room for a repeat.
_TRIES = 3
# A try with less of it would most likely end without an answer, and hide the one before.
_LEAST_SHARE = 0.05
# Limits that do not go away by waiting a little.
_LASTING = frozenset({"TOO_MANY_MATCHES", "MESSAGE_TOO_LARGE"})


class Calls:
    """Makes unary calls as one player, and repeats them while that can help.

    A repeat sends the very same request, so the server recognises its request id and answers what
    it answered the first time.
    """

    def __init__(
        self, connection: Connection, patience: Patience, renewal: Renewal | None = None
    ) -> None:
        self.connection = connection
        self.patience = patience
        self.token = ""
        self._renewal = renewal

    def metadata(self, match_id: str = "") -> Metadata:
        """Return what goes with a call about `match_id`, empty for none."""
        token = (("authorization", f"Bearer {self.token}"),) if self.token else ()
        match = (("x-match-id", match_id),) if match_id else ()
        return token + match

    async def call(
        self,
        method: Callable[[Stubs], grpc.aio.UnaryUnaryMultiCallable[Request, Response]],
        request: Request,
        match_id: str = "",
    ) -> Response:
        """Return the answer.

        Raises:
            Refused: the server says no; `Unavailable` or `LimitReached` once the deadline passed.
            ClientClosed: the client was closed.
        """

        async def once(stubs: Stubs, timeout: float) -> Response:  # noqa: ASYNC109  (gRPC's own)
            with self.errors_translated():
                start, metadata = method(stubs), self.metadata(match_id)
                return await start(request, timeout=timeout, metadata=metadata)

        return await self.repeated(once)

    async def repeated(self, once: Callable[[Stubs, float], Awaitable[Response]]) -> Response:
        """Return the answer of `once`, which is told the seconds that each try has.

        Raises:
            Refused: as `call`.
            ClientClosed: the client was closed.
        """
        clock = asyncio.get_running_loop().time
        deadline = self.patience.deadline.total_seconds()
        end = clock() + deadline
        last_begin = end - _LEAST_SHARE * deadline
        said: Unavailable | LimitReached | None = None
        for wait in self.patience.waits():
            stubs = self.connection.stubs
            try:
                seconds = max(min(end - clock(), deadline / _TRIES), 0)
                return await self._renewed_once(once, stubs, seconds)
            except (Unavailable, LimitReached) as refusal:
                if refusal.code == grpc.StatusCode.DEADLINE_EXCEEDED:
                    self.connection.give_up(stubs)
                else:
                    said = refusal
                pause = pause_seconds(wait, refusal.refusal.retry_seconds)
                if refusal.reason in _LASTING or clock() + pause >= last_begin:
                    if said in (None, refusal):
                        raise
                    raise said from refusal  # a try without an answer tells less
                await asyncio.sleep(pause)
        raise AssertionError("waits never end")

    async def may_renew(self, refusal: Refused, token: str) -> bool:
        """Return whether there is a newer token than `token`, which was refused.

        Raises:
            Refused: there should be, and nobody gave it.
        """
        return self._renewal is not None and await self._renewal.helps(refusal, token)

    async def _renewed_once(
        self,
        once: Callable[[Stubs, float], Awaitable[Response]],
        stubs: Stubs,
        seconds: float,
    ) -> Response:
        token = self.token
        try:
            return await once(stubs, seconds)
        except Refused as refusal:
            if not await self.may_renew(refusal, token):
                raise
        return await once(stubs, seconds)

    @contextmanager
    def errors_translated(self) -> Iterator[None]:
        """Turn what gRPC raises inside into errors of this library.

        Closing a channel cancels its calls, which looks as if the waiting task were cancelled.
        """
        if self.connection.is_closed:
            raise ClientClosed("the client is closed")
        try:
            yield
        except grpc.aio.AioRpcError as error:
            raise refused(error) from error
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            raise self._closed_under_call() from None

    def _closed_under_call(self) -> ClientClosed | Unavailable:
        if self.connection.is_closed:
            return ClientClosed("the client was closed")
        refusal = Refusal(grpc.StatusCode.UNAVAILABLE, message="the connection was given up")
        return Unavailable(refusal)
