"""The next token, once the last one's time is over."""

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Final, TypeAlias

from durak_client.errors import Refused

NextToken: TypeAlias = Callable[[], str | Awaitable[str]]
"""Gives another token of the same player: a function, or a coroutine function."""
_EXPIRED: Final = "TOKEN_EXPIRED"


class Renewal:
    """Asks for the next token when a server says that the last one has expired.

    The server's clock decides, so nobody else's has to be right.

    Args:
        next_token: gives it; None if nobody does.
        current: returns the token in use.
        use: has another one used from now on.
    """

    def __init__(
        self,
        next_token: NextToken | None,
        current: Callable[[], str],
        use: Callable[[str], None],
    ) -> None:
        self._next_token = next_token
        self._current = current
        self._use = use
        self._asking = asyncio.Lock()

    async def helps(self, refusal: Refused, token: str) -> bool:
        """Return whether what was refused with `token` may be tried again with a newer one.

        However many are refused at once, one next token is asked for.

        Raises:
            Refused: the same refusal, since no next token was given; its cause says why.
        """
        if refusal.reason != _EXPIRED or self._next_token is None:
            return False
        async with self._asking:
            if self._current() == token:
                await self._ask(self._next_token, refusal)
        return self._current() != token

    async def _ask(self, next_token: NextToken, refusal: Refused) -> None:
        try:
            given = next_token()
            self._use(await given if isawaitable(given) else given)
        except Exception as error:  # whatever the user's own function raises
            raise refusal from error
