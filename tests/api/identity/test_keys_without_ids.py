"""Tokens that do not say which key has signed them."""

from cryptography.hazmat.primitives.asymmetric import rsa

from durak_server.app import DurakServer
from tests.api.identity_provider import OLD, SECRET, IdentityProvider, SigningKey
from tests.fake_time import FakeTime
from tests.live_server import Calls, Guest, failure_of, metric

UNNAMED = [SigningKey(None) for _ in range(5)]
RSA = SigningKey(None, rsa.generate_private_key(65537, 2048), "RS256")


def bearer(calls: Calls, key: SigningKey) -> Guest:
    return Guest(calls, "", "", key.token())


async def test_each_of_several_keys_without_ids_is_good(
    calls: Calls, server: DurakServer, provider: IdentityProvider
) -> None:
    provider.show(OLD, *UNNAMED[:2], RSA)

    for key in (OLD, *UNNAMED[:2], RSA):
        await bearer(calls, key).my_matches()

    assert metric(server, "durak_identity_keys_skipped") == 0
    assert (await failure_of(bearer(calls, UNNAMED[2]).my_matches())).reason == "TOKEN_INVALID"


async def test_a_token_without_an_id_may_be_signed_by_a_key_that_has_one(calls: Calls) -> None:
    await bearer(calls, SigningKey(None, SECRET)).my_matches()


async def test_four_keys_of_the_tokens_algorithm_are_tried(
    calls: Calls, provider: IdentityProvider
) -> None:
    provider.show(RSA, *UNNAMED)

    for key in (RSA, *UNNAMED[:4]):
        await bearer(calls, key).my_matches()
    assert (await failure_of(bearer(calls, UNNAMED[4]).my_matches())).reason == "TOKEN_INVALID"


async def test_a_new_key_without_an_id_is_looked_for_as_others_are(
    calls: Calls, time: FakeTime, provider: IdentityProvider
) -> None:
    provider.show(UNNAMED[0])
    await bearer(calls, UNNAMED[0]).my_matches()
    provider.show(*UNNAMED[:2])
    assert (await failure_of(bearer(calls, UNNAMED[1]).my_matches())).reason == "TOKEN_INVALID"
    assert provider.requests == 2

    time.advance(10)
    await bearer(calls, UNNAMED[1]).my_matches()
