"""Spans: which call caused what, and how long it took. Nobody pays for them who wants none."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Protocol, TypeAlias

Carried: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Gives a block in which what was under way elsewhere is under way."""


class TracingMissing(Exception):
    """Spans are wanted, and what makes them is not installed."""


class Steps(Protocol):
    """Spans of what calls cause."""

    def carried(self) -> Carried:
        """Return how to go on with what is under way here, in another task."""

    def step(self, name: str) -> AbstractContextManager[None]:
        """Time a block as a part of what is under way; nothing happens if nothing is."""


class CallSpan(Protocol):
    """The span of one call."""

    def end_with(self, code: str, number: int, *, is_our_fault: bool) -> None:
        """Say with which status code the call ends, by its name and its number."""


class Spans(Steps, Protocol):
    """Spans of calls as well, and where they go."""

    def call(
        self, service: str, method: str, metadata: Iterable[tuple[str, str | bytes]]
    ) -> AbstractContextManager[CallSpan]:
        """Time a call, as a part of what the caller's metadata says is under way there."""

    def close(self) -> None:
        """Send what was not sent yet, which may take seconds, and make no more."""


class NoSteps:
    """Steps where nobody wants spans."""

    def carried(self) -> Carried:
        """Return what does nothing."""
        return nullcontext

    def step(self, _name: str) -> AbstractContextManager[None]:
        """Do nothing."""
        return nullcontext()


NO_STEPS: Final = NoSteps()


def open_spans(endpoint: str, share: float, version: str) -> Spans | None:
    """Return spans that go to an OTLP receiver at a URL; None without one.

    Of the calls that are no part of a trace already, that `share` is traced, from 0 to 1.

    Raises:
        TracingMissing: OpenTelemetry is not installed.
    """
    if not endpoint:
        return None
    try:
        # Only here: who wants no spans need not install what makes them, nor load it.
        from durak_server.observe.otlp_spans import OtlpSpans  # noqa: PLC0415  (see above)
    except ImportError:
        raise TracingMissing(
            'tracing needs OpenTelemetry: pip install "durak-server[tracing]"'
        ) from None
    return OtlpSpans(endpoint, share, version)
