"""`durak-server admin`: an operator at the terminal, and a server that runs."""

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from durak_client import Client, Denied, Patience, Unavailable
from durak_client.events import AbandonReason, MatchAbandoned
from tests.api.certificates import make_certificate
from tests.app.commands import COMMAND, Ended, Serving, environment, run, serving


class Admin:
    """The command with the flags that find the server."""

    def __init__(self, *flags: str) -> None:
        self.flags = flags

    def __call__(self, *arguments: str) -> Ended:
        return run("admin", *self.flags, *arguments)

    def said(self, *arguments: str) -> str:
        """Run a command that succeeds; return what it prints."""
        ended = self(*arguments)
        assert (ended.code, ended.errors) == (0, "")
        return ended.output


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the server's data."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Serving]:
    """One for all: each test looks at what it made itself."""
    with serving(data, "--admin-listen", "127.0.0.1:0") as server:
        yield server


@pytest.fixture
def admin(server: Serving, data: Path) -> Admin:
    return admin_of(server, data)


def admin_of(server: Serving, data: Path) -> Admin:
    address = server.greeting[1].rpartition(" ")[2]
    return Admin("--address", address, "--data", str(data), "--name", "anna")


async def unlisted_match(server: Serving, patience: Patience | None = None) -> tuple[str, str, str]:
    """Let Vasya make a match; return its id, his and his token."""
    target = f"127.0.0.1:{server.port}"
    async with await Client.connect(target, name="Vasya", patience=patience) as vasya:
        match = await vasya.create_match(visibility="unlisted")
        return match.match_id, vasya.player_id, vasya.token


async def how_it_ended(server: Serving, token: str, match_id: str) -> object:
    """Return the last fact of a match, as its player hears it."""
    async with await Client.connect(f"127.0.0.1:{server.port}", token=token) as vasya:
        events = [event async for update in vasya.follow(match_id) for event in update.events]
        return events[-1].fact


def test_a_match_is_listed_shown_and_ended(server: Serving, admin: Admin) -> None:
    match_id, player_id, token = asyncio.run(unlisted_match(server))
    of_vasya = ("list", "--player", player_id)

    assert re.fullmatch(rf"{match_id}  open       \S+  Vasya\n", admin.said(*of_vasya))
    shown = json.loads(admin.said("inspect", match_id, "--hands"))
    assert (shown["info"]["match_id"], shown["info"]["visibility"]) == (
        match_id,
        "VISIBILITY_UNLISTED",
    )
    ended = admin.said("terminate", match_id, "--text", "we move")

    assert ended == f"ended with event {shown['info']['sequence'] + 1}\n"
    fact = asyncio.run(how_it_ended(server, token, match_id))
    assert fact == MatchAbandoned(AbandonReason.TERMINATED, "we move")
    assert match_id not in admin.said("list")
    assert re.search(rf"^{match_id}  abandoned  ", admin.said("list", "--over"), re.MULTILINE)
    refused = admin("terminate", match_id)
    assert refused == Ended(1, "", "durak-server: FAILED_PRECONDITION: The match is over.\n")


def test_a_player_is_banned_and_let_in_again(server: Serving, admin: Admin) -> None:
    _, player_id, token = asyncio.run(unlisted_match(server))

    async def matches_of_vasya() -> int:
        async with await Client.connect(f"127.0.0.1:{server.port}", token=token) as vasya:
            return len([match async for match in vasya.my_matches()])

    banned = admin.said("ban", player_id, "--hours", "24", "--text", "be kind")
    assert banned == "banned; 0 streams ended, 1 seats given up\n"
    assert re.fullmatch(rf"{player_id}  \S+Z  by operator-anna  be kind\n", admin.said("bans"))
    with pytest.raises(Denied, match="be kind"):
        asyncio.run(matches_of_vasya())

    assert admin.said("unban", player_id) == "no longer banned\n"
    assert admin.said("unban", player_id) == "was not banned\n"
    assert asyncio.run(matches_of_vasya()) == 0


def test_who_bans_an_id_that_nobody_has_is_told(admin: Admin) -> None:
    ended = admin("ban", "mistyped")
    assert (ended.code, ended.output) == (0, "banned; 0 streams ended, 0 seats given up\n")
    assert ended.errors == "nobody of this id is known here, look whether it is right\n"

    assert admin("ban", "mis typed") == Ended(
        1,
        "",
        "durak-server: INVALID_ARGUMENT: player_id: must be 1 to 64 characters of printable ASCII,"
        " no spaces\n",
    )


@pytest.mark.parametrize("hours", ["nan", "inf", "1e300", "0", "-1"])
def test_a_ban_lasts_for_hours_that_there_are(admin: Admin, hours: str) -> None:
    ended = admin("ban", "anybody", "--hours", hours)

    assert (ended.code, ended.output) == (1, "")
    assert ended.errors.startswith("durak-server: --hours must be more than 0, at most 876000, not")
    assert ended.errors.count("\n") == 1


def test_rates_are_changed(admin: Admin) -> None:
    changed = admin.said("limits", "guests_per_second=2.5")

    assert "guests_per_second  2.5 a second, 50 at once  (settings: 50)" in changed
    assert admin.said("limits") == changed
    for wrong in ("guests_per_second", "guests_per_second=nan", "guests_per_second=inf"):
        assert admin("limits", wrong).errors == f"durak-server: {wrong!r} is not NAME=RATE\n"


def test_a_drain_is_begun(tmp_path: Path) -> None:
    with serving(tmp_path, "--admin-listen", "127.0.0.1:0") as server:
        assert admin_of(server, tmp_path).said("drain").startswith("draining; ")
        with pytest.raises(Unavailable):
            asyncio.run(unlisted_match(server, Patience(deadline=timedelta(seconds=1))))


def test_a_token_of_ones_own_is_taken_from_a_file(admin: Admin, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(run("admin-token", "--data", str(data)).output)
    Admin(*admin.flags, "--token-file", str(file)).said("list")

    file.write_text("x.y.z\n")
    refused = Admin(*admin.flags, "--token-file", str(file))("list")
    assert refused.errors.startswith("durak-server: UNAUTHENTICATED: ")


def test_who_does_not_say_where_the_server_is_is_asked(tmp_path: Path) -> None:
    assert run("admin", "--data", str(tmp_path), "list").errors == (
        "durak-server: where is the server? Give --address HOST:PORT, or set DURAK_ADMIN_LISTEN\n"
    )


def test_with_a_provider_of_identities_the_server_signs_no_token() -> None:
    provider = {
        "DURAK_AUTH": "jwt",
        "DURAK_JWT_ISSUER": "i",
        "DURAK_JWT_AUDIENCE": "a",
        "DURAK_JWKS_URL": "https://id.example/keys",
    }
    assert run("admin-token", **provider).errors.startswith("durak-server: with auth jwt")


def test_a_server_with_a_client_ca_is_reached_with_a_certificate(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    mine, my_key = make_certificate(tmp_path, "operator")
    files = ("--tls-certificate", str(certificate), "--tls-key", str(key))
    here = ("--admin-listen", "127.0.0.1:0", *files)
    with serving(tmp_path, *here, DURAK_TLS_CLIENT_CA=str(mine)) as server:
        admin = admin_of(server, tmp_path)
        trusting = Admin(*admin.flags, "--ca", str(certificate))
        known = Admin(*trusting.flags, "--certificate", str(mine), "--key", str(my_key))
        half = Admin(*trusting.flags, "--certificate", str(mine))

        assert known("bans") == Ended(0, "", "")
        assert trusting("bans").errors.startswith("durak-server: UNAVAILABLE: ")
        assert half("bans").errors == "durak-server: --certificate and --key go together\n"


def test_a_server_whose_certificate_everybody_trusts_is_reached_with_tls(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    files = ("--tls-certificate", str(certificate), "--tls-key", str(key))
    with serving(tmp_path, "--admin-listen", "127.0.0.1:0", *files) as server:
        admin = admin_of(server, tmp_path)
        everybody_trusts = environment(GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=str(certificate))
        command = [*COMMAND, "admin", *admin.flags, "--tls", "bans"]
        subprocess.run(command, env=everybody_trusts, check=True)

        in_the_clear = admin("bans")
        assert (in_the_clear.code, in_the_clear.output) == (1, "")
        assert "It may want TLS (--tls, or --ca FILE" in in_the_clear.errors


def test_a_server_that_is_not_there_is_not_said_to_want_tls() -> None:
    ended = run("admin", "--address", "127.0.0.1:1", "bans", DURAK_TOKEN_SECRET="x" * 32)

    assert ended.errors.startswith("durak-server: UNAVAILABLE: ")
    assert "TLS" not in ended.errors
