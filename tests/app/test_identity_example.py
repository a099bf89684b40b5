"""The stand-in for an identity provider does what docs/identity.md says, with a real server."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from durak_client import Client, Denied, Unauthenticated
from tests.app.commands import Serving, serving

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "identity_provider.py"
TRUSTING = {
    "DURAK_AUTH": "jwt",
    "DURAK_JWT_ISSUER": "https://id.example",
    "DURAK_JWT_AUDIENCE": "durak",
    "DURAK_JWKS_COOLDOWN_SECONDS": "0.1",
    "DURAK_JWKS_REFRESH_SECONDS": "1",
}


def provider(*arguments: str) -> str:
    """Run the example; return the line that it prints."""
    command = [sys.executable, str(EXAMPLE), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.rstrip()


async def matches_of(server: Serving, token: str) -> int:
    async with await Client.connect(f"127.0.0.1:{server.port}", token=token) as client:
        return len([match async for match in client.my_matches()])


@pytest.fixture(scope="module")
def idp(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a provider with its first key."""
    folder = str(tmp_path_factory.mktemp("provider") / "idp")
    assert provider("new-key", folder) == "key-1"
    return folder


@pytest.fixture(scope="module")
def server(idp: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    settings = TRUSTING | {"DURAK_JWKS_FILE": f"{idp}/jwks.json"}
    with serving(tmp_path_factory.mktemp("data"), **settings) as server:
        yield server


async def test_a_player_keeps_his_match_while_the_keys_change(server: Serving, idp: str) -> None:
    first = provider("token", idp, "anna-7", "Anna")
    async with await Client.connect(f"127.0.0.1:{server.port}", token=first) as anna:
        await anna.create_match()
        assert anna.player_id == "anna-7"
    assert provider("new-key", idp) == "key-2"
    assert await matches_of(server, provider("token", idp, "anna-7", "Anna")) == 1
    assert await matches_of(server, first) == 1

    provider("withdraw", idp, "key-1")
    assert await refusal_once_read(server, first) == "The token was not signed for this server."


async def refusal_once_read(server: Serving, token: str) -> str:
    """Return why a token is not taken any more, once the server has read its keys again."""
    try:
        while True:
            await matches_of(server, token)
    except Unauthenticated as refused:
        return str(refused)


async def test_whoever_may_look_on_may_not_play(server: Serving, idp: str) -> None:
    token = provider("token", idp, "eva", "--scope", "watch")
    assert await matches_of(server, token) == 0
    async with await Client.connect(f"127.0.0.1:{server.port}", token=token) as eva:
        with pytest.raises(Denied, match="The token lacks the scope play"):
            await eva.create_match()


def test_the_private_halves_are_nobody_elses(idp: str) -> None:
    files = list(Path(idp).glob("key-*.pem"))
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert '"d"' not in Path(idp, "jwks.json").read_text()
