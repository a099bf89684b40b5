"""A retry with the same request id gets the first answer, however much has happened since."""

from pathlib import Path

from grpc import StatusCode

from durak_server.pb.durak.v1 import match_pb2
from tests.live_server import Guest, connected, failure_of, first_move, running_server


async def test_a_repeat_of_every_call_gets_its_first_answer(tmp_path: Path) -> None:
    answers: list[object] = []
    async with (
        running_server(store="sqlite", data=tmp_path) as server,
        connected(server) as calls,
    ):
        a, b = await calls.guests(2)
        answers.append(await a.create(request_id="create", rules={"seats": 3}))
        match_id = (await a.my_matches()).matches[0].match_id
        answers.append(await a.add_bot(match_id, request_id="bot", seat=2))
        answers.append(await b.join(match_id, request_id="join"))
        answers.append(await a.start(match_id, request_id="start"))
        answers.append(await b.leave(match_id, request_id="leave"))
        log = await a.view(match_id)

        assert await repeated(a, b, match_id) == answers
        assert (await a.view(match_id)).sequence >= log.sequence

    # The secret and the log are kept: tokens and answers outlive the server.
    async with (
        running_server(store="sqlite", data=tmp_path) as server,
        connected(server) as calls,
    ):
        a = Guest(calls, a.name, a.player_id, a.token)
        b = Guest(calls, b.name, b.player_id, b.token)
        assert await repeated(a, b, match_id) == answers


async def repeated(a: Guest, b: Guest, match_id: str) -> list[object]:
    """Repeat each call of the test above; only the request ids need be the same."""
    return [
        await a.create(request_id="create"),
        await a.add_bot(match_id, request_id="bot"),
        await b.join(match_id, request_id="join"),
        await a.start(match_id, request_id="start"),
        await b.leave(match_id, request_id="leave"),
    ]


async def test_a_repeated_move_is_made_once(tmp_path: Path) -> None:
    async with (
        running_server(store="sqlite", data=tmp_path) as server,
        connected(server) as calls,
    ):
        a, b = await calls.guests(2)
        match_id = (await a.create(start_when_full=True)).info.match_id
        await b.join(match_id)
        mover = a if (await a.view(match_id)).legal_moves else b
        move = first_move(await mover.view(match_id))
        first = await mover.move(match_id, move, request_id="lead", expected_sequence=0)

        assert await mover.move(match_id, move, request_id="lead", expected_sequence=1) == first
        assert (await mover.view(match_id)).sequence == first.sequence

    async with (
        running_server(store="sqlite", data=tmp_path) as server,
        connected(server) as calls,
    ):
        again = Guest(calls, mover.name, mover.player_id, mover.token)
        assert await again.move(match_id, move, request_id="lead") == first


async def test_a_refused_call_may_be_made_again_with_its_request_id() -> None:
    async with running_server() as server, connected(server) as calls:
        a, b = await calls.guests(2)
        match_id = (await a.create()).info.match_id
        failure = await failure_of(a.start(match_id, request_id="start"))
        await b.join(match_id)

        started = await a.start(match_id, request_id="start")

        assert failure.reason == "SEATS_FREE"
        assert started.status == match_pb2.MATCH_STATUS_PLAYING


async def test_request_ids_are_each_players_own() -> None:
    async with running_server() as server, connected(server) as calls:
        a, b = await calls.guests(2)

        first = await a.create(request_id="1")
        second = await b.create(request_id="1")

        assert first.info.match_id != second.info.match_id


async def test_a_repeated_create_with_an_id_of_its_own_finds_its_match() -> None:
    async with running_server() as server, connected(server) as calls:
        a, b = await calls.guests(2)
        first = await a.create(request_id="1", match_id="m")

        assert await a.create(request_id="1", match_id="m") == first
        for other in (a.create(request_id="2", match_id="m"), b.create(match_id="m")):
            failure = await failure_of(other)
            assert (failure.code, failure.reason) == (
                StatusCode.ALREADY_EXISTS,
                "MATCH_EXISTS",
            )


async def test_a_refused_request_is_judged_anew() -> None:
    async with running_server() as server, connected(server) as calls:
        a, b = await calls.guests(2)
        match_id = (await a.create()).info.match_id
        assert (await failure_of(a.start(match_id, request_id="go"))).reason == "SEATS_FREE"
        await b.join(match_id)

        info = await a.start(match_id, request_id="go")

        assert info.status == match_pb2.MATCH_STATUS_PLAYING
