"""Players whom an identity provider knows."""

import hmac
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from grpc import StatusCode
from jwt.utils import base64url_encode

from durak_server.api import KeysMissing
from tests.api.identity_provider import (
    CLAIMS,
    NEW,
    OLD,
    SECRET,
    TRUSTING,
    IdentityProvider,
    SigningKey,
)
from tests.fake_time import NOON, FakeTime
from tests.live_server import Calls, Failure, Guest, connected, failure_of, metric, server_at

HOUR = timedelta(hours=1)
STRANGE = SigningKey("old")


def bearer(calls: Calls, token: str) -> Guest:
    return Guest(calls, "", "", token)


async def test_a_token_of_the_provider_seats_its_player(calls: Calls) -> None:
    made = await bearer(calls, OLD.token(name="  Ane\u0301 ")).create()

    assert made.info.seats[0].player_id == "auth0|anna"
    assert made.info.seats[0].name == "An\u00e9"


async def test_there_are_no_guests(calls: Calls) -> None:
    assert await failure_of(calls.guest()) == Failure(
        StatusCode.FAILED_PRECONDITION,
        "GUESTS_REFUSED",
        "There are no guests here: bring a token of the identity provider.",
    )


TAKEN: dict[str, dict[str, Any]] = {  # Any: a claim may be anything
    "one of several audiences": {"aud": ["chess", "durak"]},
    "a scope in a list": {"scope": None, "scp": ["email", "bot"]},
    "a clock half a minute behind ours": {"exp": NOON - timedelta(seconds=29)},
    "a clock half a minute ahead of ours": {"nbf": NOON + timedelta(seconds=30)},
    "a subject of 64 characters": {"sub": "x" * 64},
    "no name, and no seat to put it on": {"name": None, "scope": "watch"},
}
FAULTY: dict[str, tuple[dict[str, Any], str]] = {  # Any: as above
    "another issuer": ({"iss": "https://id.example/"}, "iss"),
    "no issuer": ({"iss": None}, "iss"),
    "another audience": ({"aud": "chess"}, "aud"),
    "no audience": ({"aud": None}, "aud"),
    "no subject": ({"sub": None}, "sub"),
    "an empty subject": ({"sub": ""}, "sub"),
    "a long subject": ({"sub": "x" * 65}, "sub"),
    "a subject of two lines": ({"sub": "a\nb"}, "sub"),
    "a subject of a house bot": ({"sub": "bot-1"}, "sub"),
    "no expiry": ({"exp": None}, "exp"),
    "an expiry that never comes": ({"exp": float("nan")}, "exp"),
    "an expiry too large for a float": ({"exp": 10**400}, "exp"),
    "a time to come": ({"nbf": NOON + timedelta(seconds=31)}, "nbf"),
    "no name": ({"name": None}, "name"),
    "a name that is no text": ({"name": {"first": "Anna"}}, "name"),
    "a name that cannot be seen": ({"name": "\u200b"}, "name"),
}


@pytest.mark.parametrize("case", TAKEN)
async def test_a_token_may_have(calls: Calls, case: str) -> None:
    assert (await bearer(calls, OLD.token(**TAKEN[case])).my_matches()).matches == []


@pytest.mark.parametrize("case", FAULTY)
async def test_a_token_must_not_have(calls: Calls, case: str) -> None:
    claims, claim = FAULTY[case]

    failure = await failure_of(bearer(calls, OLD.token(**claims)).my_matches())

    text = f"The token's claim {claim} is missing, or is not one that is taken here."
    assert failure == Failure(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID", text, {"claim": claim})


def signed(header: dict[str, Any], sign: Callable[[bytes], bytes]) -> str:  # Any: as above
    """Return a token as no library would make it."""
    parts = [header, CLAIMS | {"exp": (NOON + HOUR).timestamp()}]
    signed = b".".join(base64url_encode(json.dumps(part).encode()) for part in parts)
    return (signed + b"." + base64url_encode(sign(signed))).decode()


def with_the_public_key_as_secret(text: bytes) -> bytes:
    pem = OLD.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return hmac.digest(pem, text, "sha256")


FORGED = {
    "no signature": jwt.encode(CLAIMS, "", "none", {"kid": "old"}),
    "another key of the same id": STRANGE.token(),
    "the public key as a secret": signed(
        {"alg": "HS256", "kid": "old"}, with_the_public_key_as_secret
    ),
    "no token at all": "x.y.z",
    "a key id that is no text": signed({"alg": "EdDSA", "kid": 7}, lambda text: text),
    "a header that is none": "W10.W10.W10",
    "no algorithm": signed({"kid": "old"}, SECRET.sign),
    "a critical extension": signed(
        {"alg": "EdDSA", "kid": "old", "crit": ["x"], "x": 1}, SECRET.sign
    ),
}


@pytest.mark.parametrize("case", FORGED)
async def test_a_forged_token_is_told_nothing_more(calls: Calls, case: str) -> None:
    failure = await failure_of(bearer(calls, FORGED[case]).my_matches())

    text = "The token was not signed for this server."
    assert failure == Failure(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID", text)


async def test_a_token_is_expired_for_who_was_let_in_with_it(calls: Calls, time: FakeTime) -> None:
    anna = bearer(calls, OLD.token(exp=NOON + HOUR))
    await anna.my_matches()

    time.advance(3600 + 29)
    await anna.my_matches()
    time.advance(1)

    assert (await failure_of(anna.my_matches())).reason == "TOKEN_EXPIRED"


ALGORITHMS = {
    "RS256": SigningKey("rsa", rsa.generate_private_key(65537, 2048), "RS256"),
    "ES256": SigningKey("ec", ec.generate_private_key(ec.SECP256R1()), "ES256"),
    "PS256": SigningKey("pss", rsa.generate_private_key(65537, 2048), "PS256"),
    "RS256 of 1024 bits": SigningKey("short", rsa.generate_private_key(65537, 1024), "RS256"),
}


@pytest.mark.filterwarnings("ignore:The RSA key is 1024 bits")
async def test_only_the_algorithms_that_are_set_are_taken(
    time: FakeTime, provider: IdentityProvider
) -> None:
    provider.show(*ALGORITHMS.values())
    settings = provider.settings | {"jwt_algorithms": "RS256, ES256"}
    async with server_at(time.keeper, **settings) as server, connected(server) as calls:
        for name in ("RS256", "ES256"):
            await bearer(calls, ALGORITHMS[name].token()).my_matches()
        for name in ("PS256", "RS256 of 1024 bits"):
            failure = await failure_of(bearer(calls, ALGORITHMS[name].token()).my_matches())
            assert failure.reason == "TOKEN_INVALID"


async def test_keys_may_come_from_a_file(time: FakeTime, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [OLD.public]}))
    settings = TRUSTING | {"jwks_file": file}
    async with server_at(time.keeper, **settings) as server, connected(server) as calls:
        await bearer(calls, OLD.token()).my_matches()
        file.write_text(json.dumps({"keys": [OLD.public, NEW.public]}))
        await bearer(calls, NEW.token()).my_matches()
        assert metric(server, "durak_identity_key_reads_total") == 2


async def test_a_file_without_keys_stops_the_start(time: FakeTime, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_text('{"keys": []}')
    settings = TRUSTING | {"jwks_file": file}

    with pytest.raises(KeysMissing, match="holds no key that can be used"):
        async with server_at(time.keeper, **settings):
            pass
