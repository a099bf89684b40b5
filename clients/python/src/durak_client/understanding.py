"""Reading messages that may hold anything, since whoever answers may be no server of ours."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from durak_client.errors import NotUnderstood

Message = TypeVar("Message")
Read = TypeVar("Read")


def understood(read: Callable[[Message], Read]) -> Callable[[Message], Read]:
    """Return `read` with `NotUnderstood` in the place of what it raises on values that are none.

    A moment after the year 9999 is such a value.
    """

    @wraps(read)
    def told(message: Message) -> Read:
        try:
            return read(message)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise NotUnderstood(f"the server's answer cannot be understood: {error}") from error

    return told
