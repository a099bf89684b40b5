"""What operators see: metrics with few labels, logs with no secrets, probes that tell the truth."""

import asyncio
import io
import json
import re
import socket
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from grpc import StatusCode, aio
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from durak_server.app import DurakServer
from tests.api.tokenless import LIST_SERVICES, call_made_up, check_health, reflect
from tests.fake_time import FakeTime
from tests.live_server import (
    Calls,
    connected,
    failure_of,
    metric,
    play_to_the_end,
    running_server,
    server_at,
    started_match,
)

SERVED = {"listen": "127.0.0.1:0", "metrics_listen": "127.0.0.1:0"}


async def fetch(server: DurakServer, path: str, host: str = "127.0.0.1") -> tuple[int, str]:
    """Get a status page."""

    def get() -> tuple[int, str]:
        url = f"http://{host}:{server.metrics_port}{path}"
        try:
            with urllib.request.urlopen(url) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    return await asyncio.to_thread(get)


EXPECTED = """
    durak_append_events durak_bot_thinking_seconds durak_build_info durak_commands_refused_total
    durak_data_bytes durak_data_disk_bytes durak_data_disk_free_bytes
    durak_deals_finished_total durak_decide_seconds durak_deliver_seconds durak_draining
    durak_clock_late_seconds durak_clocks_run_out_total durak_matches_expired_total
    durak_turn_ends_failed_total
    durak_event_loop_lag_seconds durak_guests_created_total durak_limited_total
    durak_live_matches durak_lobby_streams durak_match_loads_total
    durak_matches durak_moves_accepted_total durak_play_answers_total durak_play_command_seconds
    durak_identity_key_read_failures_total durak_identity_key_reads_total
    durak_identity_keys_skipped durak_operator_acts_total durak_players_banned
    durak_players_left_total durak_rate_limited_total durak_rematches_total durak_said_total
    durak_store_batch_appends durak_store_conflicts_total
    durak_store_failures_total durak_store_flush_seconds durak_store_logs_cut_total
    durak_store_queue durak_store_seconds durak_store_up
    durak_store_unknown_outcomes_total durak_streams durak_streams_refused_total
    durak_watchers_dropped_total
    durak_tls_certificate_expiry_timestamp_seconds
    grpc_server_handled_total grpc_server_handling_seconds grpc_server_msg_received_total
    grpc_server_msg_sent_total grpc_server_started_total
"""


async def test_every_metric_is_documented_and_exposed(tmp_path: Path) -> None:
    async with (
        running_server(**SERVED, store="sqlite", data=tmp_path) as server,
        connected(server) as calls,
    ):
        players = await calls.guests(2)
        await play_to_the_end(await started_match(3, players), players)
        await failure_of(players[0].join("nothing"))

        code, text = await fetch(server, "/metrics")

    assert code == 200
    exposed = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))
    ours = {name for name in exposed if name.startswith(("durak_", "grpc_"))}
    assert ours == set(EXPECTED.split())
    assert set(re.findall(r"^# HELP (\S+) \S", text, re.MULTILINE)) == exposed
    assert 'durak_matches{preset="PODKIDNOY",status="FINISHED"} 1.0' in text
    assert "process_resident_memory_bytes" in text


LABELS = {
    "act", "grpc_type", "grpc_service", "grpc_method", "grpc_code", "status", "preset", "kind",
    "command", "reason", "level", "le", "version", "limit",
}  # fmt: skip


async def test_no_label_has_a_value_that_a_caller_could_invent() -> None:
    async with running_server(**SERVED) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(3, players, match_id="my-own-id")
        await failure_of(players[0].start(match_id))
        await play_to_the_end(match_id, players)
        for number in range(3):
            with pytest.raises(aio.AioRpcError):
                await call_made_up(calls.channel, f"/made.Up{number}/Method")

        _, text = await fetch(server, "/metrics")

    ours = [line for line in text.splitlines() if line.startswith(("durak_", "grpc_"))]
    labels = {label for line in ours for label in re.findall(r'(\w+)="([^"]*)"', line)}
    assert {name for name, _ in labels} == LABELS
    methods = {value for name, value in labels if name == "grpc_method"}
    assert methods == {"CreateGuest", "CreateMatch", "JoinMatch", "AddBot", "StartMatch"} | {
        "MakeMove", "GetView", "unknown",
    }  # fmt: skip
    assert not [line for line in ours if "my-own-id" in line or players[0].player_id in line]


async def test_calls_are_counted_as_the_grpc_ecosystem_does(
    server: DurakServer, calls: Calls
) -> None:
    guest = await calls.guest()
    await failure_of(guest.look("nothing"))
    await guest.my_matches()  # a failure is counted when the caller knows of it already
    labels = {
        "grpc_type": "unary",
        "grpc_service": "durak.v1.PlayService",
        "grpc_method": "GetView",
    }

    assert metric(server, "grpc_server_started_total", **labels) == 1
    assert metric(server, "grpc_server_handled_total", **labels, grpc_code="NOT_FOUND") == 1
    assert metric(server, "grpc_server_handling_seconds_count", **labels) == 1

    with pytest.raises(aio.AioRpcError):
        await call_made_up(calls.channel, "/made.Up/Method")
    await guest.my_matches()  # as above
    labels = dict.fromkeys(("grpc_service", "grpc_method"), "unknown") | {"grpc_type": "unary"}
    assert metric(server, "grpc_server_handled_total", **labels, grpc_code="UNIMPLEMENTED") == 1


async def test_the_time_of_what_a_limit_refuses_is_no_latency() -> None:
    async with running_server(calls_per_second=0.01) as server, connected(server) as calls:
        guest = await calls.guest()
        await guest.my_matches()
        await failure_of(guest.my_matches())
        await calls.guest()  # a failure is counted when the caller knows of it already
        method = {"grpc_type": "unary", "grpc_method": "ListMyMatches"}
        labels = method | {"grpc_service": "durak.v1.LobbyService"}

        assert metric(server, "grpc_server_started_total", **labels) == 2
        assert metric(server, "grpc_server_handling_seconds_count", **labels) == 1


async def test_moves_are_counted_by_kind_and_refusals_by_reason(
    server: DurakServer, calls: Calls
) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    await failure_of(players[0].start(match_id))
    await play_to_the_end(match_id, players)

    refused = metric(
        server, "durak_commands_refused_total", command="StartMatch", reason="MATCH_STARTED"
    )
    assert refused == 1
    assert metric(server, "durak_moves_accepted_total", kind="ATTACK") >= 2
    ends = [
        metric(server, "durak_deals_finished_total", preset="PODKIDNOY", reason=reason)
        for reason in ("FOOL", "DRAW", "BOUND")
    ]
    assert sum(ends) == 1


async def test_probes_tell_whether_the_server_serves(tmp_path: Path) -> None:
    async with running_server(**SERVED, drain_settle_seconds=2) as server:
        assert await fetch(server, "/livez") == (200, "yes\n")
        assert await fetch(server, "/readyz") == (200, "yes\n")
        assert (await fetch(server, "/"))[0] == 404

        drain = asyncio.create_task(server.drain())
        await asyncio.sleep(0)
        assert await fetch(server, "/readyz") == (503, "no\n")
        assert await fetch(server, "/livez") == (200, "yes\n")
        await drain


def loopbacks() -> list[str]:
    """The addresses by which this machine reaches itself; not every machine has IPv6."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return ["127.0.0.1", "[::1]"]
    except OSError:
        return ["127.0.0.1"]


@pytest.mark.parametrize("host", loopbacks())
async def test_status_pages_are_served_on_addresses_of_both_families(host: str) -> None:
    async with running_server(listen="127.0.0.1:0", metrics_listen=f"{host}:0") as server:
        assert await fetch(server, "/livez", host) == (200, "yes\n")


async def test_only_a_scrape_counts_the_matches() -> None:
    async with running_server(**SERVED) as server, connected(server) as calls:
        await (await calls.guest()).create()
        opened = {"status": "OPEN", "preset": "PODKIDNOY"}

        assert await fetch(server, "/readyz") == (200, "yes\n")
        assert metric(server, "durak_matches", **opened) == 0
        await fetch(server, "/metrics")
        assert metric(server, "durak_matches", **opened) == 1


async def test_a_server_whose_store_stays_away_is_not_ready(tmp_path: Path) -> None:
    time = FakeTime()
    async with server_at(time.keeper, **SERVED, store="sqlite", data=tmp_path) as server:
        assert await fetch(server, "/readyz") == (200, "yes\n")
        assert metric(server, "durak_store_up") == 1
        await server.store.close()

        assert await fetch(server, "/readyz") == (200, "yes\n")
        assert metric(server, "durak_store_up") == 0
        time.advance(5)
        assert await fetch(server, "/readyz") == (503, "no\n")
        assert await fetch(server, "/livez") == (200, "yes\n")


async def health_of(calls: Calls, service: str, metadata: tuple[tuple[str, str], ...] = ()) -> str:
    """What the standard health check says of a service."""
    answer = await check_health(calls.channel, metadata, service)
    return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)


async def test_health_is_told_for_every_service(calls: Calls) -> None:
    services = ("AuthService", "LobbyService", "PlayService", "ReplayService")
    names = ["", "liveness", *(f"durak.v1.{service}" for service in services)]

    answers = [await health_of(calls, name) for name in names]

    assert answers == ["SERVING"] * 6
    with pytest.raises(aio.AioRpcError) as error:
        await health_of(calls, "no.Such")
    assert error.value.code() is StatusCode.NOT_FOUND


async def test_reflection_lists_every_service(calls: Calls) -> None:
    call = reflect(calls.channel)
    await call.write(LIST_SERVICES)
    answer = await call.read()

    assert isinstance(answer, reflection_pb2.ServerReflectionResponse)
    assert {service.name for service in answer.list_services_response.service} == {
        "durak.v1.AuthService",
        "durak.v1.LobbyService",
        "durak.v1.PlayService",
        "durak.v1.ReplayService",
        "grpc.health.v1.Health",
        "grpc.reflection.v1alpha.ServerReflection",
    }
    call.cancel()


async def test_a_line_tells_the_call_its_end_and_whose_it_was(
    lines: io.StringIO, calls: Calls
) -> None:
    guest = await calls.guest()
    await guest.create(match_id="m")

    made = json.loads(lines.getvalue().splitlines()[-1])

    assert made["duration_ms"] > 0
    assert len(made["request_id"]) == 16
    known = ("event", "level", "code", "method", "match", "player")
    assert [made[name] for name in known] == [
        "call",
        "debug",
        "OK",
        "durak.v1.LobbyService/CreateMatch",
        "m",
        guest.player_id,
    ]


@pytest.mark.parametrize(("given", "kept"), [("abc-123", True), ("x" * 65, False)])
async def test_a_callers_own_request_id_is_on_the_line_if_it_is_fit_to_be(
    lines: io.StringIO, calls: Calls, given: str, kept: bool
) -> None:
    await health_of(calls, "", (("x-request-id", given),))

    line = json.loads(lines.getvalue().splitlines()[-1])
    assert (line["request_id"] == given) == kept


async def test_an_error_of_ours_is_told_by_a_number_and_logged_with_its_cause(
    lines: io.StringIO, server: DurakServer, calls: Calls
) -> None:
    guest = await calls.guest()
    # Behind the server's back: its next question to the store fails in a way nobody foresaw.
    server.store.list_public = None  # type: ignore[method-assign, assignment]  # broken on purpose

    failure = await failure_of(guest.matches())

    incident = failure.metadata["incident"]
    assert (failure.code, failure.reason) == (StatusCode.INTERNAL, "INTERNAL")
    assert failure.text == f"Internal error {incident}"
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    (error,) = [line for line in logged if line.get("incident") == incident]
    assert error["level"] == "error"
    assert "'NoneType' object is not callable" in error["exception"]
    assert error["player"] == guest.player_id
