"""Calls that are repeated until they are answered."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import grpc

from durak_client.errors import ClientClosed, LimitReached, Unavailable
from durak_client.patience import Patience
from durak_client.refusals import refused

Request = TypeVar("Request")
Response = TypeVar("Response")

Metadata = tuple[tuple[str, str], ...]

# A try gets a part of the time there is, so that a lost answer leaves room for a repeat.
_TRIES = 3
# Limits that do not go away by waiting a little.
_LASTING = frozenset({"TOO_MANY_MATCHES", "MESSAGE_TOO_LARGE"})


class Calls:
    """Makes unary calls as one player, and repeats them while that can help.

    A repeat sends the very same request, so the server recognises its request id and answers what
    it answered the first time.
    """

    def __init__(self, patience: Patience) -> None:
        self.patience = patience
        self.token = ""
        self.is_closed = False

    def metadata(self, match_id: str = "") -> Metadata:
        """Return what goes with a call about `match_id`, empty for none."""
        token = (("authorization", f"Bearer {self.token}"),) if self.token else ()
        match = (("x-match-id", match_id),) if match_id else ()
        return token + match

    async def call(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        match_id: str = "",
    ) -> Response:
        """Return the answer.

        Raises:
            Refused: the server says no; `Unavailable` or `LimitReached` once the deadline passed.
            ClientClosed: the client was closed.
        """
        clock = asyncio.get_running_loop().time
        deadline = self.patience.deadline.total_seconds()
        end = clock() + deadline
        for wait in self.patience.waits():
            timeout = max(min(end - clock(), deadline / _TRIES), 0)
            try:
                with self.errors_translated():
                    return await method(request, timeout=timeout, metadata=self.metadata(match_id))
            except (Unavailable, LimitReached) as refusal:
                pause = max(wait, refusal.refusal.retry_seconds or 0)
                if refusal.reason in _LASTING or clock() + pause >= end:
                    raise
                await asyncio.sleep(pause)
        raise AssertionError("waits never end")

    @contextmanager
    def errors_translated(self) -> Iterator[None]:
        """Turn what gRPC raises inside into errors of this library."""
        if self.is_closed:
            raise ClientClosed("the client is closed")
        try:
            yield
        except grpc.aio.AioRpcError as error:
            raise refused(error) from error
        except asyncio.CancelledError:
            if self._cancelled_by_close():
                raise ClientClosed("the client was closed") from None
            raise

    def _cancelled_by_close(self) -> bool:
        """Return whether it was not the caller's task that was cancelled.

        Closing a channel cancels its calls, which looks the same to the one who waits for them.
        """
        task = asyncio.current_task()
        return self.is_closed and task is not None and not task.cancelling()
