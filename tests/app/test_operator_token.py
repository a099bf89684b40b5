"""The commands of an operator sign with the server's own secret, or say that they have none."""

from pathlib import Path

import pytest

from tests.app.commands import run

COMMANDS = {
    "admin": ("admin", "--address", "127.0.0.1:1", "--data", "{data}", "list"),
    "admin-token": ("admin-token", "--data", "{data}"),
}
WAYS_OUT = (
    ": say by --data or DURAK_DATA where the server's data is, or by DURAK_TOKEN_SECRET or"
    " DURAK_TOKEN_SECRET_FILE what it signs with"
)
MISSING = {".": "there is no token.secret in {data}", "nowhere": "there is no folder {data}"}


@pytest.mark.parametrize("folder", MISSING)
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_no_command_makes_a_secret_that_no_server_has(
    tmp_path: Path, command: tuple[str, ...], folder: str
) -> None:
    data = tmp_path / folder

    ended = run(*[word.format(data=data) for word in command])

    said = MISSING[folder].format(data=data)
    assert (ended.code, ended.output) == (1, "")
    assert ended.errors == f"durak-server: {said}{WAYS_OUT}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("store", ["sqlite", "memory"])
def test_a_secret_that_is_set_needs_no_folder(tmp_path: Path, store: str) -> None:
    signed = run(
        "admin-token",
        "--data",
        str(tmp_path / "nowhere"),
        DURAK_TOKEN_SECRET="x" * 32,
        DURAK_STORE=store,
    )

    assert (signed.code, signed.errors) == (0, "")
    assert signed.output.count(".") == 2


def test_the_secret_of_a_server_in_memory_is_in_no_folder(tmp_path: Path) -> None:
    (tmp_path / "token.secret").write_text("of another server, that kept its matches")

    ended = run("admin-token", "--data", str(tmp_path), DURAK_STORE="memory")

    assert (ended.code, ended.output) == (1, "")
    assert ended.errors == (
        "durak-server: a server that keeps matches in memory signs with what nobody else has: say"
        " what by DURAK_TOKEN_SECRET or DURAK_TOKEN_SECRET_FILE, to it and here\n"
    )
