"""Spans made by OpenTelemetry and sent by OTLP over HTTP; imported only if somebody wants them."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Final

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from durak_server.observe.spans import Carried

_W3C: Final = TraceContextTextMapPropagator()
_SEND_SECONDS: Final = 2.0
"""How long a receiver has to take some spans; at the end of a server nobody waits longer."""


class OtlpSpans:
    """Spans that a thread of their own sends away, some at a time; see `Spans`.

    No span tells of an exception: its text may hold what only the log may.
    """

    def __init__(self, endpoint: str, share: float, version: str) -> None:
        self._provider = TracerProvider(
            sampler=ParentBasedTraceIdRatio(share),
            resource=Resource.create({"service.name": "durak-server", "service.version": version}),
            shutdown_on_exit=False,
        )
        self._provider.add_span_processor(
            BatchSpanProcessor(OTLPSpanExporter(endpoint, timeout=_SEND_SECONDS))
        )
        self._tracer = self._provider.get_tracer("durak_server", version)

    @contextmanager
    def call(
        self, service: str, method: str, metadata: Iterable[tuple[str, str | bytes]]
    ) -> Iterator["_CallSpan"]:
        """Time a call; see `Spans.call`."""
        carrier = {key: value for key, value in metadata if isinstance(value, str)}
        with self._tracer.start_as_current_span(
            f"{service}/{method}",
            context=_W3C.extract(carrier, contexts.Context()),
            kind=SpanKind.SERVER,
            attributes={"rpc.system": "grpc", "rpc.service": service, "rpc.method": method},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield _CallSpan(span)

    def carried(self) -> Carried:
        """Return how to go on with what is under way here, in another task."""
        return partial(_within, contexts.get_current())

    def step(self, name: str) -> AbstractContextManager[None]:
        """Time a block as a part of what is under way; nothing happens if nothing is."""
        if not trace.get_current_span().get_span_context().is_valid:
            return nullcontext()
        return self._timed(name)

    def close(self) -> None:
        """Send what was not sent yet, which may take seconds, and make no more."""
        self._provider.shutdown()

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        with self._tracer.start_as_current_span(
            name, record_exception=False, set_status_on_exception=False
        ):
            yield


class _CallSpan:
    """The span of one call."""

    def __init__(self, span: Span) -> None:
        self._span = span

    def end_with(self, code: str, number: int, *, is_our_fault: bool) -> None:
        """Say with which status code the call ends, by its name and its number."""
        self._span.set_attribute("rpc.grpc.status_code", number)
        if is_our_fault:
            self._span.set_status(StatusCode.ERROR, code)


@contextmanager
def _within(context: contexts.Context) -> Iterator[None]:
    token = contexts.attach(context)
    try:
        yield
    finally:
        contexts.detach(token)
