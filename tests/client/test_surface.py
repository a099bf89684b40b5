import subprocess
import sys

import pytest

import durak_client


@pytest.mark.parametrize("name", durak_client.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(durak_client, name).__name__ == name


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="module 'durak_client' has no attribute 'Whist'"):
        getattr(durak_client, "Whist")  # noqa: B009  # the type checker knows it is not there


def test_the_command_explains_itself_without_loading_grpc() -> None:
    script = "import sys, durak_client.cli.app; print('grpc' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert shown.stdout == b"False\n"
