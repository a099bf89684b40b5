"""The command line: what it prints, how it ends, and what it refuses in one line."""

import json
import re
import shutil
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from annotated_types import Ge, Gt, Le
from grpc import aio
from typer.main import get_command
from typer.testing import CliRunner

from durak_server.cli import app
from durak_server.config import Settings
from tests.api.certificates import make_certificate
from tests.api.identity_provider import SigningKey
from tests.app.commands import run, serving
from tests.live_server import Calls, Guest, failure_of, first_move, started_match


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_cleanly_also_with_streams_open(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving(tmp_path, DURAK_DRAIN_SETTLE_SECONDS="0") as server:
        async with aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            guest = await Calls(channel).guest()
            await guest.create(match_id="m")
            streams = [guest.follow("m") for _ in range(5)]
            for stream in streams:
                await anext(stream)

            server.process.send_signal(number)

            for stream in streams:
                assert (await failure_of(anext(stream))).reason == "SHUTTING_DOWN"
        _, errors = server.process.communicate(timeout=20)
    assert server.process.returncode == 0
    assert "Traceback" not in errors


async def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        async with aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            players = await Calls(channel).guests(2)
            match_id = await started_match(2, players)
            for _ in range(20):
                for player in players:
                    view = await player.view(match_id)
                    if view.legal_moves:
                        await player.move(match_id, first_move(view))
                        break
            before = [await player.view(match_id) for player in players]
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()

    with serving(tmp_path) as server:
        async with aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            calls = Calls(channel)
            again = [Guest(calls, guest.name, guest.player_id, guest.token) for guest in players]
            assert [await player.view(match_id) for player in again] == before


def test_it_says_where_it_serves_and_how_to_play(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        address = f"127.0.0.1:{server.port}"

        assert server.greeting[0].endswith(f"serves on {address}, matches are kept in {tmp_path}")
        assert f"durak play --server {address}" in server.greeting[1]
        assert f'Client.connect("{address}"' in server.greeting[2]


def test_with_tls_it_says_how_to_play_with_tls(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "localhost")
    files = ("--tls-certificate", str(certificate), "--tls-key", str(key))
    with serving(tmp_path, "--listen", "0.0.0.0:0", *files) as server:
        address = f"localhost:{server.port}"

        assert server.greeting[1].endswith(f"durak play --tls --server {address}")
        assert f'Client.connect("{address}", name="Vasya", credentials=' in server.greeting[2]


def test_without_guests_it_says_how_to_play_with_a_token(tmp_path: Path) -> None:
    (tmp_path / "jwks.json").write_text(json.dumps({"keys": [SigningKey("k").public]}))
    trusting = {
        "DURAK_AUTH": "jwt",
        "DURAK_JWT_ISSUER": "https://id.example",
        "DURAK_JWT_AUDIENCE": "durak",
        "DURAK_JWKS_FILE": str(tmp_path / "jwks.json"),
    }
    with serving(tmp_path, **trusting) as server:
        address = f"127.0.0.1:{server.port}"

        assert server.greeting[1].endswith(f"durak play --server {address} --token-file FILE")
        assert f'Client.connect("{address}", token=TOKEN)' in server.greeting[2]


@pytest.mark.parametrize("path", ["/nowhere", str(Path(sys.executable).parent)])
def test_the_command_to_play_is_one_that_the_shell_finds(tmp_path: Path, path: str) -> None:
    with serving(tmp_path, PATH=path) as server:
        command = server.greeting[1].partition(":")[2].split()[0]

    assert shutil.which(command, path=path)


def refusal(*arguments: str, **variables: str) -> str:
    """The one line with which the command refuses to start."""
    ended = run("serve", "--metrics-listen", "", *arguments, **variables)
    assert (ended.code, ended.output) == (1, "")
    (line,) = ended.errors.splitlines()
    return line.removeprefix("durak-server: ")


def test_a_second_server_on_the_same_port_or_data_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        address = f"127.0.0.1:{server.port}"
        other = str(tmp_path / "other")

        assert refusal("--listen", address, "--data", other) == (
            f"cannot listen on {address}: Address already in use"
        )
        assert refusal("--listen", "127.0.0.1:0", "--data", str(tmp_path)) == (
            f"{tmp_path / 'durak.sqlite'} is in use by another process"
        )


def test_a_metrics_port_in_use_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        line = refusal("--listen", "127.0.0.1:0", "--store", "memory", "--metrics-listen", address)
    assert line == f"cannot listen on {address}: Address already in use"


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "durak.sqlite").write_bytes(b"not a database, whatever it is" * 100)

    line = refusal("--listen", "127.0.0.1:0", "--data", str(tmp_path))

    assert line == f"cannot use {tmp_path / 'durak.sqlite'}: file is not a database"


def test_a_spoilt_secret_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "token.secret"
    secret.touch()

    line = refusal("--listen", "127.0.0.1:0", "--data", str(tmp_path))

    assert line.startswith(f"{secret} does not hold 32 characters or more: ")


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    line = refusal("--listen", "127.0.0.1:0", "--data", str(tmp_path / "file" / "data"))

    assert line.startswith(f"cannot use {tmp_path / 'file' / 'data' / 'durak.sqlite'}: ")


PROVIDER = {"DURAK_AUTH": "jwt", "DURAK_JWT_ISSUER": "i", "DURAK_JWT_AUDIENCE": "a"}
SETTINGS = [
    ({"DURAK_STOER": "memory"}, "unknown setting DURAK_STOER; `durak-server config` lists"),
    ({"DURAK_STORE": "redis"}, "DURAK_STORE: Input should be 'sqlite' or 'memory'"),
    ({"DURAK_LISTEN": "localhost"}, "DURAK_LISTEN: must be HOST:PORT, not 'localhost'"),
    ({"DURAK_LISTEN": "127.0.0.1:99999"}, "DURAK_LISTEN: must be HOST:PORT"),
    ({"DURAK_LISTEN": "0.0.0.0:0"}, "0.0.0.0:0 is not loopback and there is no TLS"),
    ({"DURAK_HEARTBEAT_SECONDS": "16"}, "DURAK_HEARTBEAT_SECONDS: Input should be less than"),
    ({"DURAK_DRAIN_GRACE_SECONDS": "inf"}, "DURAK_DRAIN_GRACE_SECONDS: Input should be a finite"),
    ({"DURAK_MATCH_IDLE_SECONDS": "nan"}, "DURAK_MATCH_IDLE_SECONDS: Input should be a finite"),
    ({"DURAK_DRAIN_GRACE_SECONDS": "3601"}, "DURAK_DRAIN_GRACE_SECONDS: Input should be less than"),
    ({"DURAK_TRUSTED_PROXIES": "10.0.0.1/8"}, "DURAK_TRUSTED_PROXIES: 10.0.0.1/8 has host bits"),
    ({"DURAK_TRUSTED_PROXIES": "10.0.0.0/8,"}, "DURAK_TRUSTED_PROXIES: '' does not appear to be"),
    ({"DURAK_TOKEN_SECRET": "hush"}, "DURAK_TOKEN_SECRET: must have 32 characters or more"),
    ({"DURAK_TOKEN_SECRET_FILE": "/no/secret"}, "DURAK_TOKEN_SECRET_FILE: cannot read /no/secret"),
    ({"DURAK_TOKEN_SECRET_FILE": "/dev/null"}, "DURAK_TOKEN_SECRET_FILE: /dev/null must hold 32"),
    (
        {"DURAK_TOKEN_SECRET_FILE": sys.executable},
        f"DURAK_TOKEN_SECRET_FILE: {sys.executable} is not UTF-8 text",
    ),
    (
        {"DURAK_TOKEN_SECRET": "x" * 32, "DURAK_TOKEN_SECRET_FILE": __file__},
        "set one of token_secret and token_secret_file",
    ),
    ({"DURAK_BOT_DELAY_MIN_SECONDS": "9"}, "bot_delay_min_seconds is more than bot_delay_max"),
    ({"DURAK_TLS_KEY": "key.pem"}, "tls_certificate and tls_key go together"),
    ({"DURAK_TLS_CLIENT_CA": "ca.pem"}, "tls_client_ca needs tls_certificate and tls_key"),
    (
        {"DURAK_TLS_KEY": "/no/key.pem", "DURAK_TLS_CERTIFICATE": "/no/c.pem"},
        "cannot read /no/c.pem: No such file or directory",
    ),
    ({"DURAK_ADMIN_LISTEN": "0.0.0.0:0"}, "0.0.0.0:0 is not loopback and there is no TLS"),
    ({"DURAK_AUTH": "jwt"}, "auth jwt needs jwt_issuer and jwt_audience"),
    (PROVIDER, "auth jwt needs one of jwks_url and jwks_file"),
    (PROVIDER | {"DURAK_JWKS_FILE": "/no/keys"}, "cannot read /no/keys: No such file or directory"),
    (PROVIDER | {"DURAK_JWKS_FILE": "/dev/null"}, "/dev/null holds no key that can be used"),
    ({"DURAK_JWT_ISSUER": "i"}, "jwt_issuer needs auth jwt"),
    ({"DURAK_JWT_AUDIENCE": "a"}, "jwt_audience needs auth jwt"),
    ({"DURAK_JWKS_URL": "https://id.example/keys"}, "jwks_url needs auth jwt"),
    ({"DURAK_JWKS_FILE": "/no/keys"}, "jwks_file needs auth jwt"),
    ({"DURAK_JWT_ALGORITHMS": "ES256"}, "jwt_algorithms needs auth jwt"),
    ({"DURAK_JWT_LEEWAY_SECONDS": "0"}, "jwt_leeway_seconds needs auth jwt"),
    ({"DURAK_JWKS_REFRESH_SECONDS": "9"}, "jwks_refresh_seconds needs auth jwt"),
    ({"DURAK_JWKS_COOLDOWN_SECONDS": "9"}, "jwks_cooldown_seconds needs auth jwt"),
    ({"DURAK_JWKS_URL": "http://id.example/keys"}, "DURAK_JWKS_URL: must be https, or http from"),
    ({"DURAK_JWKS_URL": "https://me:hush@id.example"}, "DURAK_JWKS_URL: must not have a password"),
    ({"DURAK_JWT_ALGORITHMS": "RS256,HS256"}, "DURAK_JWT_ALGORITHMS: must be of ES256, ES384,"),
    ({"DURAK_JWT_ALGORITHMS": "none"}, "DURAK_JWT_ALGORITHMS: must be of ES256, ES384,"),
]


@pytest.mark.parametrize(("variables", "expected"), SETTINGS)
def test_a_setting_that_makes_no_sense_is_refused(variables: dict[str, str], expected: str) -> None:
    variables = {"DURAK_STORE": "memory", "DURAK_LISTEN": "127.0.0.1:0"} | variables

    line = refusal(**variables)

    assert line.startswith(expected)
    assert "hush" not in line


def test_every_number_has_a_least_and_a_most() -> None:
    numbers = {
        name: {type(bound) for bound in field.metadata}
        for name, field in Settings.model_fields.items()
        if field.annotation in (int, float)
    }
    assert [name for name, bounds in numbers.items() if Le not in bounds] == []
    assert [name for name, bounds in numbers.items() if not bounds & {Ge, Gt}] == []


def test_it_serves_other_addresses_when_told_to(tmp_path: Path) -> None:
    with serving(tmp_path, "--insecure", "--listen", "0.0.0.0:0") as server:
        assert server.port


def test_config_prints_every_setting_in_force_and_masks_secrets() -> None:
    secret = "x" * 40
    printed = run("config", DURAK_TOKEN_SECRET=secret, DURAK_STORE="memory").output

    lines = printed.splitlines()
    assert "DURAK_STORE=memory" in lines
    assert "DURAK_TOKEN_SECRET=********" in lines
    assert "DURAK_INSECURE=false" in lines
    assert secret not in printed
    names = [line.partition("=")[0] for line in lines if not line.startswith("#")]
    assert len(names) == len(set(names)) == len(lines) / 2


def test_what_config_prints_are_settings() -> None:
    printed = run("config").output
    lines = [line for line in printed.splitlines() if not line.startswith("#")]
    variables = dict(line.split("=", 1) for line in lines)

    assert variables["DURAK_TLS_CERTIFICATE"] == variables["DURAK_TOKEN_SECRET"] == ""
    assert run("config", **variables).output == printed


def test_check_cases_prints_how_many_passed() -> None:
    ended = run("check-cases", "tests/rules/cases.yaml")

    assert ended.output == "52 passed, 0 failed\n"
    assert (ended.code, ended.errors) == (0, "")


def test_check_cases_tells_each_failure(tmp_path: Path) -> None:
    text = Path("tests/rules/cases.yaml").read_text(encoding="utf-8")
    broken = tmp_path / "cases.yaml"
    broken.write_text(text.replace("DOES_NOT_BEAT", "NOT_TRUMP"), encoding="utf-8")

    ended = run("check-cases", str(broken))

    assert ended.code == 1
    *failures, summary = ended.output.splitlines()
    assert failures
    assert all(": " in line for line in failures)
    assert summary.endswith(" failed")
    assert not summary.endswith(" 0 failed")


BROKEN_FILES = {
    "missing": (None, "No such file"),
    "empty": ("", "there is no list of cases in it"),
    "no YAML": ("a: [", "while parsing"),
    "too deep": ("[" * 3_000, "maximum recursion depth"),
    "no list": ("7", "there is no list of cases in it"),
    "one case": ("id: alone", "there is no list of cases in it"),
    "no cases": ("- {}\n- 7", "case 2 is not a mapping: 7"),
    "a key twice": ("- {id: a, id: b}", "the key 'id' stands twice in one mapping in"),
    "a hand twice": ("- hands: {P0: [7S], P0: [8S]}", "the key 'P0' stands twice in one mapping"),
    "texts": ("- id", "case 1 is not a mapping: 'id'"),
}


@pytest.mark.parametrize("fault", BROKEN_FILES)
def test_check_cases_refuses_a_file_without_cases(tmp_path: Path, fault: str) -> None:
    file = tmp_path / "cases.yaml"
    text, said = BROKEN_FILES[fault]
    if text is not None:
        file.write_text(text)

    ended = run("check-cases", str(file))

    assert ended.code == 1
    assert "Traceback" not in ended.errors
    (line,) = ended.errors.splitlines()
    assert line.startswith(f"durak-server: {file}: {said}")


def paths_of(command: object, *before: str) -> Iterator[tuple[str, ...]]:
    """The words that call a command and each below it."""
    yield before
    for name, below in getattr(command, "commands", {}).items():
        yield from paths_of(below, *before, name)


@pytest.mark.parametrize("path", list(paths_of(get_command(app))), ids=" ".join)
def test_every_command_has_help_with_an_example(path: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, [*path, "--help"])
    assert shown.exit_code == 0
    assert re.search(rf"Example: .*{' '.join(('durak-server', *path))}", shown.output)


def test_the_version_is_printed() -> None:
    assert run("--version").output.startswith("durak-server 0.")
