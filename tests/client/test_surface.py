import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mypy import api

import durak_client


@pytest.mark.parametrize("name", durak_client.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(durak_client, name).__name__ == name


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="module 'durak_client' has no attribute 'Whist'"):
        getattr(durak_client, "Whist")  # noqa: B009  # the type checker knows it is not there


def test_a_type_checker_finds_a_misspelt_name(tmp_path: Path) -> None:
    bot, package = tmp_path / "bot.py", tmp_path / "durak_client"
    bot.write_text("from durak_client import Client, RuleRefusd\n")
    # A copy: beside an installed package lie others, which the checker would take for ours.
    package.mkdir()
    shutil.copy(durak_client.__file__, package)
    alone = ("--config-file=", "--follow-imports=skip", f"--cache-dir={tmp_path / 'cache'}")
    said, _, _ = api.run([*alone, str(package / "__init__.py"), str(bot)])
    assert 'Module "durak_client" has no attribute "RuleRefusd"; maybe "RuleRefused"?' in said
    assert said.count("error:") == 1


def test_an_editor_completes_every_public_name() -> None:
    script = "import durak_client; print(set(durak_client.__all__) <= set(dir(durak_client)))"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert shown.stdout == b"True\n"


def test_the_command_explains_itself_without_loading_grpc() -> None:
    script = "import sys, durak_client.cli.app; print('grpc' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert shown.stdout == b"False\n"
