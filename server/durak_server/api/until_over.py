"""What a stream holds until it is over for its caller, too: until he has taken its end."""

from contextlib import AbstractContextManager, ExitStack
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from durak_server.api.calls import Behaviour, Context, Method

T = TypeVar("T")
_holding: Final[ContextVar[ExitStack]] = ContextVar("holding")


class UntilOver:
    """The concern that lets go of what a stream holds. It stands before what tells of failures.

    A caller who takes nothing does not take the status either: his call goes on for as long as he
    likes, and so do the places that it takes.
    """

    def __call__(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour so that `hold_until_over` can be used in it, if it is a stream's."""
        if method.is_unary:
            return behaviour

        async def holding(requests: Any, context: Context) -> Any:  # Any: see Behaviour
            with ExitStack() as held:
                _holding.set(held)
                return await behaviour(requests, context)

        return holding


def hold_until_over(held: AbstractContextManager[T]) -> T:
    """Enter a context and return what it gives; it is left when the call being served is over.

    Raises:
        LookupError: no stream is being served.
    """
    return _holding.get().enter_context(held)
