"""A provider may publish anything: what can be used of it is used, and reading goes on."""

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from durak_server.app import DurakServer
from tests.api.identity_provider import NEW, OLD, IdentityProvider, SigningKey
from tests.debug_lines import debug_lines
from tests.fake_time import FakeTime
from tests.live_server import Calls, Guest, failure_of, metric

READS, FAILURES, SKIPPED = (
    "durak_identity_key_reads_total",
    "durak_identity_key_read_failures_total",
    "durak_identity_keys_skipped",
)
RSA_KEY = rsa.generate_private_key(65537, 2048)
RSA = SigningKey("rsa", RSA_KEY, "RS256")
PRIVATE: dict[str, Any] = RSAAlgorithm.to_jwk(RSA_KEY, as_dict=True)  # Any: members of a JWK


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


ODD: dict[str, object] = {
    "for encryption, by its operations": {**NEW.public, "kid": "o", "key_ops": ["encrypt"]},
    "operations that are no list": {**NEW.public, "kid": "o", "key_ops": "verify"},
    "a symmetric key without its secret": {"kty": "oct", "kid": "o", "use": "enc"},
    "a symmetric key of signatures without it": {"kty": "oct", "kid": "o"},
    "a secret": {"kty": "oct", "kid": "o", "k": "c2VjcmV0LXRoYXQtaXMtc2hvd24"},
    "a private key": PRIVATE | {"kid": "rsa", "alg": "RS256"},
    "a key to encrypt with": RSA.public | {"use": "enc"},
    "a use in a list": RSA.public | {"use": ["sig"]},
    "an id in a list": OLD.public | {"kid": ["old"]},
    "an id that is a number": OLD.public | {"kid": 7},
    "an algorithm in a list": RSA.public | {"alg": ["RS256"]},
    "an algorithm that signs nothing": RSA.public | {"alg": "none"},
    "an algorithm of another kind of key": RSA.public | {"alg": "EdDSA"},
    "an unknown algorithm": RSA.public | {"alg": "RSA-OAEP"},
    "a type in a list": RSA.public | {"kty": ["RSA"]},
    "no type": {"kid": "x"},
    "a curve in a list": OLD.public | {"kid": "x", "crv": ["Ed25519"]},
    "a point that is none": OLD.public | {"kid": "x", "x": "AA"},
    "a point that is a number": OLD.public | {"kid": "x", "x": 10**400},
    "a modulus that is a number": RSA.public | {"n": 10**400},
    "a modulus that is nothing": RSA.public | {"n": None},
    "an exponent of 0": RSA.public | {"e": "AA"},
    "another key of the same id": NEW.public | {"kid": "new"} | {"x": OLD.public["x"]},
    "a faulty key with lists in lists": {"kid": "x", "kty": "OKP", "x": json.loads(nested(300))},
    "no key at all": None,
    "a list": [],
    "a text": "key",
}
UNREADABLE = {
    "nothing": "null",
    "a number": "7",
    "a number too long to read": "9" * 5000,
    "a list": "[]",
    "lists in lists": nested(100_000),
    "keys in lists in lists": f'{{"keys": [{{"kid": {nested(100_000)}}}]}}',
    "no keys": "{}",
    "keys that are nothing": '{"keys": null}',
    "keys that are no list": f'{{"keys": {json.dumps(OLD.public)}}}',
    "an empty list": '{"keys": []}',
    "odd keys alone": '{"keys": [null, {}, {"kty": "oct", "kid": "o"}]}',
    "half a set": '{"keys": [',
    "text that is no JSON": "<html>",
    "bytes that are no text": "\udcff\udcfe\udcfd",
}


def bearer(calls: Calls, key: SigningKey) -> Guest:
    return Guest(calls, "", "", key.token())


async def next_reading(server: DurakServer, time: FakeTime, counter: str, guest: Guest) -> None:
    """Let the keys be read once more, as the calls of `guest` go on."""
    before = metric(server, counter)
    while not time.is_awaited_in(300):
        await guest.my_matches()
    time.advance(300)
    while metric(server, counter) == before:
        await guest.my_matches()


async def refused(guest: Guest) -> bool:
    """Return whether a token is not good, and its bearer is told so and nothing worse."""
    return (await failure_of(guest.my_matches())).reason == "TOKEN_INVALID"


@pytest.mark.parametrize("case", ODD)
async def test_an_odd_key_is_skipped_and_the_others_are_used(
    server: DurakServer, calls: Calls, time: FakeTime, provider: IdentityProvider, case: str
) -> None:
    new = bearer(calls, NEW)
    provider.page = json.dumps({"keys": [NEW.public, ODD[case]]}).encode()

    await new.my_matches()

    assert metric(server, SKIPPED) == 1
    assert await refused(bearer(calls, OLD))
    assert await refused(bearer(calls, RSA))
    provider.show(NEW, OLD)
    await next_reading(server, time, READS, new)
    await bearer(calls, OLD).my_matches()
    assert metric(server, SKIPPED) == 0


@pytest.mark.parametrize("case", UNREADABLE)
async def test_a_set_that_cannot_be_read_is_not_the_last(
    server: DurakServer, calls: Calls, time: FakeTime, provider: IdentityProvider, case: str
) -> None:
    old, new = bearer(calls, OLD), bearer(calls, NEW)
    provider.page = UNREADABLE[case].encode(errors="surrogateescape")
    await next_reading(server, time, FAILURES, old)
    assert await refused(new)

    provider.show(NEW)
    time.advance(10)
    await new.my_matches()
    assert await refused(old)


async def test_the_log_tells_which_keys_are_skipped_and_nothing_that_is_in_them(
    calls: Calls, provider: IdentityProvider
) -> None:
    odd = [ODD["a secret"], ODD["a private key"]]
    provider.page = json.dumps({"keys": [odd[0], NEW.public, odd[1]]}).encode()
    with debug_lines() as lines:
        await bearer(calls, NEW).my_matches()
        text = lines.getvalue()

    told = [line for line in map(json.loads, text.splitlines()) if "skipped" in line]
    assert [(line["level"], line["skipped"], line["places"]) for line in told] == [
        ("warning", 2, [0, 2])
    ]
    assert "c2VjcmV0" not in text
    assert PRIVATE["d"] not in text
