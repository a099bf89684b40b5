"""Every way in which a server says no is an error of its own kind, with the server's reason."""

from collections.abc import Awaitable, Callable

import pytest

from durak_client import (
    Client,
    Denied,
    InvalidRequest,
    Match,
    Move,
    MoveKind,
    NotFound,
    Refused,
    RuleRefused,
    Stale,
    Unauthenticated,
)
from tests.client.players import player
from tests.live_server import running_server

Attempt = Callable[[Match, Client], Awaitable[object]]

NO = [
    # what is tried by the owner of an open match of two, or by somebody else
    (lambda match, _: match.start(), RuleRefused, "SEATS_FREE"),
    (lambda match, _: match.move(Move(MoveKind.TAKE)), RuleRefused, "MATCH_NOT_STARTED"),
    (lambda match, _: match.leave(expected_sequence=1), Stale, "STALE_SEQUENCE"),
    (lambda match, other: other.match(match.match_id).start(), Denied, "NOT_OWNER"),
    (lambda match, other: other.match(match.match_id).leave(), Denied, "NOT_SEATED"),
    (lambda _, other: other.join("nowhere"), NotFound, "MATCH_NOT_FOUND"),
    (lambda _, other: other.create_match(seats=9), InvalidRequest, "INVALID_FIELD"),
]


@pytest.mark.parametrize(("attempt", "kind", "reason"), NO)
async def test_a_refusal_has_its_kind_and_reason_and_changes_nothing(
    attempt: Attempt, kind: type[Refused], reason: str
) -> None:
    async with (
        running_server() as server,
        player(server.port) as owner,
        player(server.port, "Boris") as other,
    ):
        match = await owner.create_match(seats=2)
        before = await match.view()
        with pytest.raises(kind) as refused:
            await attempt(match, other)
        assert (type(refused.value), refused.value.reason) == (kind, reason)
        assert str(refused.value)
        assert await match.view() == before


async def test_an_invalid_request_names_its_fields() -> None:
    async with running_server() as server, player(server.port) as client:
        with pytest.raises(InvalidRequest) as refused:
            await client.create_match(seats=6, deck=24)
        fields = [violation.field for violation in refused.value.refusal.violations]
        assert fields
        assert set(fields) <= {"rules.seats", "rules.deck"}


async def test_a_stale_move_says_where_the_match_is() -> None:
    async with running_server() as server, player(server.port) as client:
        match = await client.create_match(seats=2)
        with pytest.raises(Stale) as refused:
            await match.start(expected_sequence=1)
        assert refused.value.metadata["sequence"] == str((await match.view()).sequence)


async def test_a_forged_token_is_no_player() -> None:
    async with running_server() as server, player(server.port, token="forged") as nobody:
        with pytest.raises(Unauthenticated) as refused:
            await nobody.create_match()
        assert (refused.value.reason, nobody.player_id) == ("TOKEN_INVALID", "")
