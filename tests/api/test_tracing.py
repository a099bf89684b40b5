"""Spans of calls, sent to a receiver on this machine; without one nothing of it is there at all."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from subprocess import run as run_process

import pytest
from grpc import StatusCode, aio
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from durak_server.app import DurakServer
from durak_server.config import load_settings
from durak_server.entrance import build_entrance
from durak_server.identity import open_identity
from durak_server.observe.metrics import Metrics
from durak_server.observe.spans import open_spans
from durak_server.pb.durak.v1 import play_service_pb2
from durak_server.runtime import Bans, Presences, Surroundings
from durak_server.store import MemoryStore
from tests.app.commands import environment, run
from tests.live_server import (
    QUICK,
    Guest,
    connected,
    failure_of,
    first_move,
    running_server,
    started_match,
)
from tests.span_receiver import Receiver, receiving_spans

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


def facts(span: Span) -> dict[str, str | int]:
    """The attributes of a span."""
    return {fact.key: fact.value.string_value or fact.value.int_value for fact in span.attributes}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver of OTLP over HTTP on loopback."""
    with receiving_spans() as receiver:
        yield receiver


async def moved(server: DurakServer, **metadata: str) -> tuple[list[Guest], str]:
    """Begin a match, make a move in it and a second one that is not legal; return both players."""
    async with connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        views = [await player.view(match_id) for player in players]
        mover, view = next((p, v) for p, v in zip(players, views, strict=True) if v.legal_moves)
        request = play_service_pb2.MakeMoveRequest(match_id=match_id, move=first_move(view))
        for _ in range(2):
            with suppress(aio.AioRpcError):
                await calls.play.MakeMove(request, metadata=(*mover.metadata, *metadata.items()))
    return players, match_id


async def test_a_call_is_a_span_of_its_callers_trace_with_its_method_and_code(
    receiver: Receiver,
) -> None:
    async with running_server(tracing_endpoint=receiver.endpoint) as server:
        await moved(server, traceparent=f"00-{TRACE}-{SPAN}-01")

    taken, refused = receiver.named("durak.v1.PlayService/MakeMove")
    for span in (taken, refused):
        assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, SPAN)
        assert span.kind == Span.SPAN_KIND_SERVER
        assert span.status.code == Status.STATUS_CODE_UNSET
        assert facts(span)["rpc.service"] == "durak.v1.PlayService"
        assert facts(span)["rpc.method"] == "MakeMove"
    codes = [facts(span)["rpc.grpc.status_code"] for span in (taken, refused)]
    assert codes == [StatusCode.OK.value[0], StatusCode.FAILED_PRECONDITION.value[0]]


async def test_what_a_call_stores_is_a_span_within_it(receiver: Receiver) -> None:
    async with running_server(tracing_endpoint=receiver.endpoint) as server:
        await moved(server)

    calls = {
        span.span_id: span.name.rpartition("/")[2]
        for span in receiver.spans
        if span.name != "append"
    }
    appends = [calls[span.parent_span_id] for span in receiver.named("append")]
    assert appends == ["CreateMatch", "JoinMatch", "StartMatch", "MakeMove"]


async def test_a_call_that_fails_by_our_fault_is_an_error_without_its_cause(
    receiver: Receiver, tmp_path: Path
) -> None:
    settings = {"store": "sqlite", "data": tmp_path, "tracing_endpoint": receiver.endpoint}
    async with running_server(**settings) as server, connected(server) as calls:
        guest = await calls.guest()
        await server.store.close()
        await failure_of(guest.my_matches())

    (span,) = receiver.named("durak.v1.LobbyService/ListMyMatches")
    assert (span.status.code, span.status.message) == (Status.STATUS_CODE_ERROR, "UNAVAILABLE")
    assert len(span.events) == 0


async def test_spans_tell_nothing_that_is_secret(receiver: Receiver) -> None:
    async with running_server(tracing_endpoint=receiver.endpoint) as server:
        players, match_id = await moved(server)

    sent = b"".join(receiver.bodies).decode("latin-1")
    assert "MakeMove" in sent
    for secret in (match_id, *(fact for p in players for fact in (p.token, p.player_id, p.name))):
        assert secret not in sent


async def test_a_share_of_nothing_traces_only_what_callers_trace(receiver: Receiver) -> None:
    settings = {"tracing_endpoint": receiver.endpoint, "tracing_share": 0}
    async with running_server(**settings) as server:
        await moved(server, traceparent=f"00-{TRACE}-{SPAN}-01")

    assert {span.name for span in receiver.spans} == {"durak.v1.PlayService/MakeMove", "append"}


async def test_a_receiver_that_is_not_there_is_nobodys_trouble() -> None:
    async with running_server(tracing_endpoint="http://127.0.0.1:1/v1/traces") as server:
        players, match_id = await moved(server)
    assert players
    assert match_id


async def concerns_with(endpoint: str) -> list[str]:
    """What each call passes through, outermost first."""
    settings = load_settings(**QUICK, tracing_endpoint=endpoint)
    around = Surroundings(MemoryStore(), Metrics("test"))
    presences = Presences(around.time, timedelta(0))
    identity = await open_identity(settings, "s" * 32, around.metrics, around.time)
    spans = open_spans(endpoint, 1, "test")
    bans = await Bans.load(around.store, around.time)
    entrance = build_entrance(settings, identity.identities, presences, bans, around, spans)
    if spans:
        spans.close()
    return [type(concern).__name__ for concern in entrance.concerns]


async def test_only_with_tracing_a_call_passes_through_one_concern_more(
    receiver: Receiver,
) -> None:
    without = await concerns_with("")
    assert "CallTraces" not in without
    assert await concerns_with(receiver.endpoint) == ["CallTraces", *without]


LOADED = """
import asyncio, sys
from durak_server.app import serving
from durak_server.config import load_settings

async def main() -> None:
    async with serving(load_settings(listen="127.0.0.1:0", metrics_listen="", store="memory")):
        print(sorted(name for name in sys.modules if name.startswith("opentelemetry")))

asyncio.run(main())
"""


def test_a_server_without_tracing_loads_nothing_of_it() -> None:
    command = [sys.executable, "-c", LOADED]
    loaded = run_process(command, check=True, env=environment(), capture_output=True, text=True)
    assert loaded.stdout.splitlines()[0] == "[]"


def test_tracing_that_is_not_installed_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "durak_server.observe.otlp_spans", None)
    flags = ("--listen", "127.0.0.1:0", "--metrics-listen", "", "--data", str(tmp_path))
    ended = run("serve", *flags, DURAK_TRACING_ENDPOINT="http://127.0.0.1:1/")
    assert (ended.code, ended.output) == (1, "")
    assert ended.errors == (
        'durak-server: tracing needs OpenTelemetry: pip install "durak-server[tracing]"\n'
    )
