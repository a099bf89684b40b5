"""What can go wrong, as one small tree.

`DurakError` is everything that this library raises on purpose: `ClientClosed`, `NotUnderstood` for
what no server of ours answers, and `Refused` for every answer that is no, with a class for each way
to react. A refusal whose code has no class here is a plain `Refused`; a reason newer than this
client is passed on as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import grpc


class DurakError(Exception):
    """Everything that this library raises on purpose."""


class ClientClosed(DurakError):
    """The client was closed while the call was on its way, or before it."""


class NotUnderstood(DurakError):
    """The server's answer holds what cannot be; to ask again would not help."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A field of a request that is not as it must be, and what is wrong with it."""

    field: str
    description: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """The facts of an error answer.

    `reason` is the name of an ErrorReason without its prefix, such as `NOT_YOUR_TURN`; reasons
    newer than this client are passed on as they are, and it is empty if the server gave none.
    `retry_seconds` is how long the server asks to wait, None if it does not say.
    """

    code: grpc.StatusCode
    reason: str = ""
    message: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    retry_seconds: float | None = None


class Refused(DurakError):
    """The server's answer is no; nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message or refusal.reason or refusal.code.name)
        self.refusal = refusal

    @property
    def code(self) -> grpc.StatusCode:
        """The status code of the answer."""
        return self.refusal.code

    @property
    def reason(self) -> str:
        """The name of the reason, such as `NOT_YOUR_TURN`; empty if the server gave none."""
        return self.refusal.reason

    @property
    def metadata(self) -> Mapping[str, str]:
        """The facts of the refusal, such as `sequence` or `card`."""
        return self.refusal.metadata


class InvalidRequest(Refused):
    """A field is missing, malformed or out of its bounds; see `refusal.violations`."""


class Unauthenticated(Refused):
    """The token is missing, is not one of this server's, or its time is over."""


class Denied(Refused):
    """The caller has no seat here, is not the owner, or may not watch."""


class NotFound(Refused):
    """There is no such match, or none that the caller may know of."""


class RuleRefused(Refused):
    """The rules, or the state of the match, forbid it now."""


class Stale(Refused):
    """`expected_sequence` is not the last event's number; `metadata["sequence"]` is."""


class LimitReached(Refused):
    """Too many, too much or too fast."""


class Unavailable(Refused):
    """No server answers, or it is shutting down, or its store is away."""
