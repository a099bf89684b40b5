"""Who a token proves, and which tokens prove nobody."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jwt
import pytest
from grpc import StatusCode

from durak_server.api.callers import Caller, Scope, TokenExpired, TokenInvalid
from durak_server.api.tokens import SecretNotUsable, Tokens, secret_beside
from tests.live_server import (
    Calls,
    Failure,
    Guest,
    connected,
    failure_of,
    running_server,
)

SECRET = "a secret of at least thirty-two characters, enough for longer hashes too"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PLAY = frozenset({Scope.PLAY})


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(clock: Clock) -> Tokens:
    return Tokens(SECRET, HOUR, clock)


async def test_a_token_proves_its_guest_until_it_expires(tokens: Tokens, clock: Clock) -> None:
    caller, token = tokens.new_guest("Vasya")

    assert await tokens.verify(token) == caller
    assert caller == Caller(caller.player_id, "Vasya", PLAY, (NOON + HOUR).timestamp())
    clock.time += HOUR - timedelta(seconds=1)
    assert await tokens.verify(token) == caller
    clock.time += timedelta(seconds=1)
    with pytest.raises(TokenExpired):
        await tokens.verify(token)


async def test_a_token_of_yesterday_is_expired_also_to_a_server_that_never_saw_it(
    tokens: Tokens, clock: Clock
) -> None:
    _, token = tokens.new_guest("Vasya")
    clock.time += HOUR

    with pytest.raises(TokenExpired):
        await Tokens(SECRET, HOUR, clock).verify(token)


CLAIMS = {
    "iss": "durak-server",
    "aud": "durak",
    "sub": "p",
    "name": "Vasya",
    "scope": "play",
    "exp": NOON + HOUR,
}
FORGED = {
    "another key": jwt.encode(CLAIMS, "another secret of thirty-two characters!", "HS256"),
    "another algorithm": jwt.encode(CLAIMS, SECRET, "HS512"),
    "no signature": jwt.encode(CLAIMS, "", "none"),
    "another audience": jwt.encode(CLAIMS | {"aud": "chess"}, SECRET, "HS256"),
    "another issuer": jwt.encode(CLAIMS | {"iss": "me"}, SECRET, "HS256"),
    "no name": jwt.encode(CLAIMS | {"name": 7}, SECRET, "HS256"),
    "no subject": jwt.encode(
        {name: value for name, value in CLAIMS.items() if name != "sub"}, SECRET, "HS256"
    ),
    "no expiry": jwt.encode(
        {name: value for name, value in CLAIMS.items() if name != "exp"}, SECRET, "HS256"
    ),
    "no token at all": "x.y.z",
    "nothing": "",
}


@pytest.mark.parametrize("fault", FORGED)
async def test_a_forged_token_proves_nobody(tokens: Tokens, fault: str) -> None:
    with pytest.raises(TokenInvalid):
        await tokens.verify(FORGED[fault])


async def test_a_well_made_token_with_these_claims_would_pass(tokens: Tokens) -> None:
    caller = await tokens.verify(jwt.encode(CLAIMS, SECRET, "HS256"))

    assert caller == Caller("p", "Vasya", PLAY, (NOON + HOUR).timestamp())


def test_the_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    secret = secret_beside(tmp_path)

    assert secret_beside(tmp_path) == secret
    assert len(secret) >= 32
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("kept", [b"", b"\n", b"cut short", b"\xff" * 64])
def test_a_secret_that_could_be_guessed_is_refused_and_left_alone(
    tmp_path: Path, kept: bytes
) -> None:
    file = tmp_path / "token.secret"
    file.write_bytes(kept)

    with pytest.raises(SecretNotUsable, match=f"{file} does not hold 32 characters or more"):
        secret_beside(tmp_path)

    assert file.read_bytes() == kept


HEADERS = [
    ((), "TOKEN_MISSING"),
    ((("authorization", "Bearer x.y.z"),), "TOKEN_INVALID"),
    ((("authorization", "Basic dXNlcg=="),), "TOKEN_INVALID"),
    ((("authorization", "Bearer"),), "TOKEN_INVALID"),
    ((("authorization", ""),), "TOKEN_MISSING"),
]


@pytest.mark.parametrize(("headers", "reason"), HEADERS)
async def test_every_call_but_create_guest_wants_a_token(
    calls: Calls, headers: tuple[tuple[str, str], ...], reason: str
) -> None:
    class Nobody(Guest):
        @property
        def metadata(self) -> tuple[tuple[str, str], ...]:
            return headers

    nobody = Nobody(calls, "", "", "")
    attempts = [
        nobody.create(),
        nobody.join("m"),
        nobody.leave("m"),
        nobody.start("m"),
        nobody.add_bot("m"),
        nobody.matches(),
        nobody.my_matches(),
        nobody.move("m"),
        nobody.look("m"),
        nobody.followed("m"),
    ]

    failures = [await failure_of(attempt) for attempt in attempts]

    assert failures == [Failure(StatusCode.UNAUTHENTICATED, reason, failures[0].text)] * len(
        attempts
    )


async def test_bearer_may_be_written_in_any_case(calls: Calls) -> None:
    guest = await calls.guest()
    metadata = (("authorization", f"BEARER {guest.token}"),)

    class Shouting(Guest):
        @property
        def metadata(self) -> tuple[tuple[str, str], ...]:
            return metadata

    assert (await Shouting(calls, "", "", "").my_matches()).matches == []


async def test_a_call_with_an_expired_token_is_told_so() -> None:
    expired = jwt.encode(CLAIMS | {"exp": NOON - 10_000 * HOUR}, SECRET, "HS256")
    async with running_server(token_secret=SECRET) as server, connected(server) as calls:
        failure = await failure_of(Guest(calls, "", "", expired).my_matches())

    assert (failure.code, failure.reason) == (StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")
