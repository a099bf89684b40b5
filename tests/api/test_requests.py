"""Malformed requests: INVALID_ARGUMENT with the field, whatever is wrong with it."""

from collections.abc import Awaitable, Callable

import pytest
from google.protobuf import json_format
from grpc import StatusCode, aio

from durak_server.api.failures import CallFailed
from durak_server.api.passwords import checked_password
from durak_server.api.requests import plain_text, player_name
from durak_server.pb.durak.v1 import move_pb2
from tests.live_server import Calls, Guest, failure_of, first_move, started_match

SEVEN, EIGHT = 23, 24
TAKE = move_pb2.Move(kind=move_pb2.MOVE_KIND_TAKE)


def play(kind: int, *cards: int, target: int = 0) -> Callable[[Guest], Awaitable[object]]:
    """A move of any numbers, also those that are no kind and no card."""
    move = json_format.ParseDict({"kind": kind, "cards": cards, "target": target}, move_pb2.Move())
    return lambda guest: guest.move("m", move)


MALFORMED: list[tuple[Callable[[Guest], Awaitable[object]], tuple[str, ...]]] = [
    (lambda g: g.create(match_id="no spaces"), ("match_id",)),
    (lambda g: g.create(match_id="x" * 65), ("match_id",)),
    (lambda g: g.create(match_id="Вася"), ("match_id",)),
    (lambda g: g.create(request_id="x" * 65), ("request_id",)),
    (lambda g: g.create(request_id="tab\t"), ("request_id",)),
    (lambda g: g.create(preset=99), ("preset",)),
    (lambda g: g.create(visibility=99), ("visibility",)),
    (lambda g: g.create(spectators=99), ("spectators",)),
    (lambda g: g.create(rules={"trump": 99}), ("rules.trump",)),
    (lambda g: g.create(rules={"seats": 7}), ("rules.seats",)),
    (lambda g: g.create(rules={"seats": 5, "deck": 24}), ("rules.seats",)),
    (lambda g: g.create(rules={"deals": 1001}), ("rules.deals",)),
    (
        lambda g: g.create(rules={"teams": 9, "deals": 1001, "bank_seconds": 3_601}),
        ("rules.teams", "rules.deals", "rules.bank_seconds"),
    ),
    (
        lambda g: g.create(rules={"teams": "TEAMS_ALTERNATE", "transfer_many": True}),
        ("rules.transfer_many", "rules.teams"),
    ),
    (lambda g: g.create(rules={"turn_seconds": 3_601}), ("rules.turn_seconds",)),
    (lambda g: g.join(), ("which",)),
    (lambda g: g.join("a/b"), ("match_id",)),
    (lambda g: g.join(invite_code="*"), ("invite_code",)),
    (lambda g: g.join("open", seat=9), ("seat",)),
    (lambda g: g.leave(""), ("match_id",)),
    (lambda g: g.start("?"), ("match_id",)),
    (lambda g: g.add_bot("m", level=9), ("level",)),
    (lambda g: g.add_bot("mine", seat=2), ("seat",)),
    (lambda g: g.matches(page_size=101), ("page_size",)),
    (lambda g: g.matches(page_token="made up"), ("page_token",)),
    (lambda g: g.matches(filter={"statuses": [1, 77]}), ("filter.statuses[1]",)),
    (lambda g: g.matches(filter={"presets": [77]}), ("filter.presets[0]",)),
    (lambda g: g.matches(filter={"rules": {"dump": 77}}), ("rules.dump",)),
    (lambda g: g.matches(filter={"statuses": [1] * 9}), ("filter.statuses",)),
    (lambda g: g.matches(filter={"presets": [1] * 65_000}), ("filter.presets",)),
    (lambda g: anext(g.watch_lobby(presets=[1] * 65_000)), ("filter.presets",)),
    (lambda g: g.my_matches(statuses=[1] * 65_000), ("statuses",)),
    (lambda g: g.my_matches(page_size=101), ("page_size",)),
    (lambda g: g.my_matches(statuses=[77]), ("statuses[0]",)),
    (lambda g: g.move(""), ("match_id",)),
    (lambda g: g.move("m"), ("move.kind",)),
    (play(99), ("move.kind",)),
    (play(move_pb2.MOVE_KIND_ATTACK, 17), ("move.cards[0]",)),
    (play(move_pb2.MOVE_KIND_ATTACK, SEVEN, 0), ("move.cards[1]",)),
    (play(move_pb2.MOVE_KIND_ATTACK, SEVEN, EIGHT, SEVEN), ("move.cards[2]",)),
    (play(move_pb2.MOVE_KIND_ATTACK, *range(55)), ("move.cards",)),
    (play(move_pb2.MOVE_KIND_ATTACK, SEVEN, target=EIGHT), ("move.target",)),
    (play(move_pb2.MOVE_KIND_BEAT, SEVEN), ("move.target",)),
    (play(move_pb2.MOVE_KIND_BEAT, SEVEN, target=17), ("move.target",)),
    (play(move_pb2.MOVE_KIND_TAKE, SEVEN), ("move.cards",)),
    (play(move_pb2.MOVE_KIND_PASS, SEVEN), ("move.cards",)),
    (lambda g: g.look("."), ("match_id",)),
    (lambda g: g.followed("."), ("match_id",)),
    (lambda g: anext(g.follow("m", view_mode=9)), ("view_mode",)),
]


@pytest.mark.parametrize(("attempt", "fields"), MALFORMED)
async def test_a_malformed_request_names_the_field(
    calls: Calls, attempt: Callable[[Guest], Awaitable[object]], fields: tuple[str, ...]
) -> None:
    a, b = await calls.guests(2)
    await started_match(2, [a, b], match_id="m")
    await a.create(match_id="mine")
    await b.create(match_id="open")
    before = await a.my_matches()

    failure = await failure_of(attempt(a))

    assert (failure.code, failure.reason) == (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert failure.fields == fields
    assert failure.retry_seconds is None
    assert await a.my_matches() == before


NAMES = [
    ("Vasya", "Vasya"),
    ("  Vasya ", "Vasya"),
    ("Василий Пупкин", "Василий Пупкин"),
    ("e\u0301", "\u00e9"),
    ("x" * 40, "x" * 40),
    ("🂡", "🂡"),
    ("", None),
    ("   ", None),
    ("x" * 41, None),
    ("new\nline", None),
    ("bell\x07", None),
    ("right\u202eleft", None),
    ("zero\u200bwidth", None),
    ("❤\ufe0f", "❤\ufe0f"),
    ("q\u0306", "q\u0306"),
    ("\u0301mark first", None),
    ("Z\u0300\u0301\u0302", "Z\u0300\u0301\u0302"),
    ("Z\u0300\u0301\u0302\u0303", None),
    ("a\u0300\u0301\u0302\u0303", "\u00e0\u0301\u0302\u0303"),  # the first is part of the letter
    ("ज़िंदगी", "ज़िंदगी"),
    ("a" * 39 + "\u1ec7", "a" * 39 + "\u1ec7"),
    ("e\u0323\u0302" * 40, "\u1ec7" * 40),
    ("e\u0323\u0302" * 41, None),
    ("\ufe0f", None),
    ("\u3164", None),
    ("Hangul \u1160 filler", None),
    ("\u2800\u2800", None),
]


@pytest.mark.parametrize(("given", "shown"), NAMES)
async def test_a_display_name_is_short_and_visible(
    calls: Calls, given: str, shown: str | None
) -> None:
    if shown is None:
        failure = await failure_of(calls.guest(given))
        assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, ("name",))
    else:
        guest = await calls.guest(given)
        assert (await guest.create()).info.seats[0].name == shown


MARKS = "a" + "\u0301\u0323" * 200_000
"""Of which the normal form takes a quarter of an hour: marks are put into order one by one."""


@pytest.mark.parametrize(
    "check",
    [
        player_name,
        checked_password,
        lambda text: plain_text(text, "text", 200),
        lambda text: plain_text(text, "text", len(MARKS)),
    ],
)
def test_no_text_is_brought_into_its_normal_form_before_it_is_known_to_be_short(
    check: Callable[[str], str],
) -> None:
    with pytest.raises(CallFailed):
        check(MARKS)


async def raw(calls: Calls, guest: Guest, method: str, request: bytes) -> bytes:
    """Call a method with bytes that no stub would send."""
    call: aio.UnaryUnaryMultiCallable[bytes, bytes]
    call = calls.channel.unary_unary(f"/durak.v1.{method}")
    return await call(request, metadata=guest.metadata)


METHODS = ["LobbyService/CreateMatch", "PlayService/MakeMove", "PlayService/StreamEvents"]


@pytest.mark.parametrize("method", METHODS)
async def test_bytes_that_are_no_message_are_an_invalid_argument(calls: Calls, method: str) -> None:
    guest = await calls.guest()

    failure = await failure_of(raw(calls, guest, method, b"\xff\xff\xff"))

    assert (failure.code, failure.reason) == (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")


async def test_bytes_on_a_stream_that_are_no_message_are_an_invalid_argument(
    calls: Calls,
) -> None:
    ask: aio.StreamStreamMultiCallable[bytes, bytes] = calls.channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
    )

    failure = await failure_of(ask(iter([b"\xff\xff\xff"])).read())

    assert failure.code is StatusCode.INVALID_ARGUMENT


async def test_text_that_is_not_utf_8_is_an_invalid_argument(calls: Calls) -> None:
    guest = await calls.guest()

    failure = await failure_of(raw(calls, guest, "PlayService/GetView", b"\x0a\x02\xff\xfe"))

    assert failure.code is StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize("method", METHODS)
async def test_an_oversized_message_is_refused_and_the_connection_lives(
    calls: Calls, method: str
) -> None:
    guest = await calls.guest()

    failure = await failure_of(raw(calls, guest, method, bytes(65_537)))

    assert (failure.code, failure.reason) == (
        StatusCode.RESOURCE_EXHAUSTED,
        "MESSAGE_TOO_LARGE",
    )
    assert failure.metadata == {"size": "65537", "limit": "65536"}
    assert failure.retry_seconds
    assert (await guest.my_matches()).matches == []


async def test_a_client_of_tomorrow_may_send_fields_that_are_unknown_today(calls: Calls) -> None:
    guest = await calls.guest()

    assert await raw(calls, guest, "LobbyService/ListMatches", b"\xfa\x7f\x03abc") == b""


async def test_a_method_that_does_not_exist_is_unimplemented(calls: Calls) -> None:
    guest = await calls.guest()

    with pytest.raises(aio.AioRpcError) as error:
        await raw(calls, guest, "PlayService/Cheat", b"")

    assert error.value.code() is StatusCode.UNIMPLEMENTED


async def test_a_huge_message_is_refused_and_the_connection_lives(calls: Calls) -> None:
    guest = await calls.guest()

    with pytest.raises(aio.AioRpcError) as error:
        await raw(calls, guest, "PlayService/MakeMove", bytes(5 * 2**20))

    assert error.value.code() is StatusCode.RESOURCE_EXHAUSTED
    assert (await guest.my_matches()).matches == []


CALLS: dict[str, Callable[[Guest, str, str], Awaitable[object]]] = {
    "create": lambda guest, match_id, id_: guest.create(match_id=match_id, request_id=id_),
    "join": lambda guest, match_id, id_: guest.join(match_id, request_id=id_),
    "bot": lambda guest, match_id, id_: guest.add_bot(match_id, request_id=id_),
    "start": lambda guest, match_id, id_: guest.start(match_id, request_id=id_),
    "leave": lambda guest, match_id, id_: guest.leave(match_id, request_id=id_),
    "seed": lambda guest, match_id, id_: guest.add_seed(
        match_id, commitment=bytes(32), seed=b"s", request_id=id_
    ),
    "move": lambda guest, match_id, id_: guest.move(match_id, TAKE, request_id=id_),
    "say": lambda guest, match_id, id_: guest.say(match_id, "Hi", request_id=id_),
}


@pytest.mark.parametrize("name", CALLS)
async def test_a_request_id_of_another_call_is_refused(calls: Calls, name: str) -> None:
    a, b = await calls.guests(2)
    used = await used_request_ids(a, b)
    before = await a.view("open"), await a.view("played")

    for player, match_id, id_ in used:
        if id_ != name:
            failure = await failure_of(CALLS[name](player, match_id, id_))
            assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, ("request_id",))
    assert (await a.view("open"), await a.view("played")) == before


async def used_request_ids(a: Guest, b: Guest) -> list[tuple[Guest, str, str]]:
    """Make every kind of call with its name as its id; return whose and where each was."""
    made = await a.create(match_id="open", request_id="create", rules={"seats": 3})
    await a.add_seed("open", commitment=made.commitment, seed=b"s", request_id="seed")
    await a.add_bot("open", request_id="bot")
    await b.join("open", request_id="join")
    await b.leave("open", request_id="leave")
    await a.create(match_id="played", rules={"seats": 2})
    await b.join("played")
    await a.start("played", request_id="start")
    mover = a if (await a.view("played")).legal_moves else b
    await mover.move("played", first_move(await mover.view("played")), request_id="move")
    await b.say("played", "Hello", request_id="say")
    return [
        (a, "open", "create"),
        (a, "open", "seed"),
        (a, "open", "bot"),
        (b, "open", "join"),
        (b, "open", "leave"),
        (a, "played", "start"),
        (mover, "played", "move"),
        (b, "played", "say"),
    ]
