"""Refusals do not fill the disk: so many lines a second, and a count of the others."""

import io
import json

from durak_server.observe.sampling import LineSampler
from tests.api.one_stream import follow, one_stream, unfollow
from tests.live_server import Guest, connected, failure_of, metric, running_server


def test_so_many_lines_of_a_kind_are_written_in_a_second_and_the_next_counts_the_others() -> None:
    now = 0.0
    sampler = LineSampler(per_second=2, clock=lambda: now)

    assert [sampler.admit("a") for _ in range(5)] == [0, 0, None, None, None]
    assert sampler.admit("b") == 0
    now = 0.9
    assert sampler.admit("a") is None
    now = 1.0
    assert [sampler.admit("a") for _ in range(3)] == [4, 0, None]
    now = 500.0
    assert [sampler.admit("a") for _ in range(2)] == [1, 0]


async def test_a_thousand_bad_tokens_are_a_few_lines(lines: io.StringIO) -> None:
    async with running_server(log_lines_per_second=1) as server, connected(server) as calls:
        for _ in range(1_000):
            await failure_of(Guest(calls, "", "", "bad").my_matches())
    # A failure is counted when the caller knows of it already, but before the server has ended.
    counted = metric(
        server,
        "grpc_server_handled_total",
        grpc_type="unary",
        grpc_service="durak.v1.LobbyService",
        grpc_method="ListMyMatches",
        grpc_code="UNAUTHENTICATED",
    )
    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    refused = [line for line in found if line.get("code") == "UNAUTHENTICATED"]
    assert counted == 1_000
    assert 1 <= len(refused) < 100
    assert {line["level"] for line in refused} == {"info"}
    assert len(refused) + sum(line.get("left_out", 0) for line in refused) <= 1_000


async def test_commands_of_a_stream_have_the_lines_of_calls(lines: io.StringIO) -> None:
    async with running_server(log_lines_per_second=1) as server, connected(server) as calls:
        guest = await calls.guest()
        async with one_stream(guest) as stream:
            await stream.ask(unfollow("m"), *[follow("unknown") for _ in range(200)])

    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    commands = [line for line in found if line["event"] == "command"]
    done = [line for line in commands if line["code"] == "OK"]
    refused = [line for line in commands if line["code"] == "NOT_FOUND"]
    assert [(line["level"], line["kind"]) for line in done] == [("debug", "unfollow")]
    assert {(line["level"], line["kind"]) for line in refused} == {("info", "follow")}
    assert {line["player"] for line in commands} == {guest.player_id}
    assert all(line["duration_ms"] >= 0 for line in commands)
    assert 1 <= len(refused) < 50
    assert len(refused) + sum(line.get("left_out", 0) for line in refused) <= 200


async def test_what_is_written_only_for_debugging_is_written_in_full(lines: io.StringIO) -> None:
    async with running_server(log_lines_per_second=1) as server, connected(server) as calls:
        guest = await calls.guest()
        for _ in range(20):
            await guest.my_matches()

    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert sum(line.get("method") == "durak.v1.LobbyService/ListMyMatches" for line in found) == 20
