"""Matches in the lobby, as the terminal lists them."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from durak_client.cli.listing import as_table
from tests.client.tables import INFO

NAMES = ["[/b]", "[red]Vasya", "[link=http://x]Vasya[/link]", ":smile:", "Vasya\\"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_listed_as_it_is(name: str) -> None:
    vasya, *others = INFO.seats
    info = replace(INFO, seats=(replace(vasya, name=name), *others))
    console = Console(width=200, file=io.StringIO(), color_system=None)

    with console.capture() as captured:
        console.print(as_table([info]))

    assert f" {name}, Boris" in captured.get()
