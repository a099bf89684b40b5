"""What an operator sees, what he ends, and what is written down of it."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from grpc import StatusCode, aio
from grpc_reflection.v1alpha import reflection_pb2

from durak_server.api.callers import Scope
from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import event_pb2, match_pb2, view_pb2
from durak_server.pb.durak.v1.admin_service_pb2 import ListAllMatchesRequest
from durak_server.pb.durak.v1.admin_service_pb2_grpc import AdminServiceStub
from tests.api.operators import OPERATED, Operator, kept_in, operating, token_with
from tests.api.tokenless import LIST_SERVICES, reflect
from tests.debug_lines import lines_from
from tests.live_server import (
    Calls,
    Failure,
    connected,
    failure_of,
    running_server,
    started_match,
)

UNLISTED = match_pb2.VISIBILITY_UNLISTED


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[DurakServer]:
    async with running_server(**kept_in(tmp_path)) as server:
        yield server


@pytest.fixture
async def operator(server: DurakServer) -> AsyncIterator[Operator]:
    async with operating(server) as operator:
        yield operator


def audit(folder: Path) -> list[dict[str, str]]:
    """Return what was written down, without the times."""
    file = folder / "audit.log"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [{key: fact for key, fact in json.loads(line).items() if key != "at"} for line in lines]


def hands_in(view: view_pb2.View) -> list[list[int]]:
    """Return the cards of each seat that a view shows."""
    return [list(seat.hand) for seat in view.deal.seats]


async def test_every_match_is_listed_also_what_the_lobby_does_not_show(
    calls: Calls, operator: Operator
) -> None:
    anna, boris = await calls.guests(2)
    public, unlisted = await anna.create(), await boris.create(visibility=UNLISTED)

    listed = (await operator.list()).matches

    assert [info.match_id for info in listed] == [unlisted.info.match_id, public.info.match_id]
    assert [info.invite_code for info in listed] == ["", ""]
    (of_boris,) = (await operator.list(player_id=boris.player_id)).matches
    assert of_boris.match_id == unlisted.info.match_id


async def test_pages_lead_through_all_matches(calls: Calls, operator: Operator) -> None:
    anna = await calls.guest()
    made = [
        (await anna.create(visibility=visibility)).info.match_id
        for visibility in (0, UNLISTED, 0, UNLISTED, UNLISTED)
    ]
    found, token = list[str](), ""
    for _ in range(3):
        page = await operator.list(page_size=2, page_token=token)
        found += [info.match_id for info in page.matches]
        token = page.next_page_token

    assert (found, token) == (made[::-1], "")


async def test_a_match_is_shown_as_a_spectator_sees_it(calls: Calls, operator: Operator) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    stranger = await calls.guest()

    shown = await operator.inspect(match_id)

    assert shown.view == (await stranger.view(match_id))
    assert [event.sequence for event in shown.events] == list(range(1, shown.info.sequence + 1))
    assert hands_in(shown.view) == [[], []]


async def test_hidden_cards_take_a_scope_of_their_own_and_are_written_down(
    calls: Calls, server: DurakServer, operator: Operator, tmp_path: Path
) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)

    failure = await failure_of(operator.inspect(match_id, open_cards=True))
    assert (failure.code, failure.reason) == (StatusCode.PERMISSION_DENIED, "SCOPE_MISSING")
    assert (failure.metadata, audit(tmp_path)) == ({"scope": "admin.hands"}, [])

    async with operating(server, Scope.ADMIN, Scope.HANDS) as trusted:
        shown = await trusted.inspect(match_id, open_cards=True)

    own = [hands_in(await player.view(match_id))[seat] for seat, player in enumerate(players)]
    assert hands_in(shown.view) == own
    assert audit(tmp_path) == [
        {"operator": "operator-anna", "act": "look at hidden cards", "match": match_id}
    ]


async def test_a_match_that_is_terminated_tells_its_players_why_and_is_over(
    calls: Calls, operator: Operator, tmp_path: Path
) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    stream = players[0].follow(match_id)
    await anext(stream)

    sequence = await operator.terminate(match_id, "the server moves")

    updates = [update async for update in stream]
    assert updates[-1].is_final
    last = updates[-1].events[-1]
    assert last.sequence == sequence
    assert last.match_abandoned == event_pb2.MatchAbandoned(
        reason=event_pb2.ABANDON_REASON_TERMINATED, text="the server moves"
    )
    assert (await failure_of(operator.terminate(match_id))).reason == "MATCH_OVER"
    assert audit(tmp_path)[0] == {
        "operator": "operator-anna",
        "act": "terminate a match",
        "match": match_id,
        "text": "the server moves",
    }


async def test_what_cannot_be_written_down_is_not_done(
    calls: Calls, operator: Operator, tmp_path: Path
) -> None:
    anna = await calls.guest()
    match_id = (await anna.create()).info.match_id
    (tmp_path / "audit.log").mkdir()

    failure = await failure_of(operator.terminate(match_id))

    assert (failure.code, failure.reason) == (StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
    assert (await anna.look(match_id)).info.status == match_pb2.MATCH_STATUS_OPEN


@pytest.mark.parametrize("level", ["debug", "info", "warning", "error"])
async def test_what_is_kept_nowhere_else_is_logged_whatever_the_level(level: str) -> None:
    with lines_from(level) as lines:
        async with running_server(**OPERATED) as server, operating(server) as operator:
            await operator.drain()

    written = [json.loads(line) for line in lines.getvalue().splitlines()]
    (line,) = [line for line in written if line["logger"] == "audit"]
    assert (line["operator"], line["act"]) == ("operator-anna", "drain")


FAULTS = [
    ("unknown", {}, "MATCH_NOT_FOUND"),
    ("unknown", {"page_size": 1001}, "INVALID_FIELD"),
    ("bad id", {}, "INVALID_FIELD"),
]


@pytest.mark.parametrize(("match_id", "fields", "reason"), FAULTS)
async def test_a_call_that_names_no_match_is_refused(
    operator: Operator, match_id: str, fields: dict[str, int], reason: str
) -> None:
    assert (await failure_of(operator.inspect(match_id, **fields))).reason == reason


async def test_a_text_that_cannot_be_shown_ends_nothing(calls: Calls, operator: Operator) -> None:
    match_id = (await (await calls.guest()).create()).info.match_id
    for text in ("a\nb", "x" * 201):
        failure = await failure_of(operator.terminate(match_id, text))
        assert (failure.reason, failure.fields) == ("INVALID_FIELD", ("text",))
    assert (await operator.inspect(match_id)).info.status == match_pb2.MATCH_STATUS_OPEN


@pytest.mark.parametrize("scope", [Scope.PLAY, Scope.BOT, Scope.WATCH, Scope.HANDS])
async def test_no_other_scope_opens_the_service(operator: Operator, scope: Scope) -> None:
    stranger = Operator(operator.channel, token_with(scope))

    assert await failure_of(stranger.list()) == Failure(
        StatusCode.PERMISSION_DENIED,
        "SCOPE_MISSING",
        "The token lacks the scope admin.",
        {"scope": "admin"},
    )


async def test_the_address_of_the_players_does_not_have_the_service(calls: Calls) -> None:
    metadata = (("authorization", f"Bearer {token_with(Scope.ADMIN)}"),)
    with pytest.raises(aio.AioRpcError) as error:
        await AdminServiceStub(calls.channel).ListAllMatches(
            ListAllMatchesRequest(), metadata=metadata
        )

    assert error.value.code() is StatusCode.UNIMPLEMENTED


async def services_at(channel: aio.Channel) -> list[str]:
    """Return the services that reflection lists, without the standard ones."""
    call = reflect(channel)
    await call.write(LIST_SERVICES)
    answer = await call.read()
    call.cancel()
    assert isinstance(answer, reflection_pb2.ServerReflectionResponse)
    names = [service.name for service in answer.list_services_response.service]
    return [name for name in names if name.startswith("durak.")]


async def test_each_address_lists_the_services_that_it_has(
    calls: Calls, operator: Operator
) -> None:
    assert await services_at(operator.channel) == ["durak.v1.AdminService"]
    assert "durak.v1.AdminService" not in await services_at(calls.channel)


async def test_there_is_no_such_address_unless_it_is_set() -> None:
    async with running_server() as server, connected(server) as calls:
        assert server.admin_port == 0
        assert (await (await calls.guest()).my_matches()).matches == []
