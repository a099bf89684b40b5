"""Matches in the lobby, as the terminal lists them."""

import io
from dataclasses import replace
from datetime import timedelta

import pytest
from rich.console import Console

from durak_client.cli.listing import as_table
from durak_client.matches import MatchStatus, Preset
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


def test_matches_fit_80_columns_whatever_their_rules_and_players() -> None:
    match_id = "01a0b1c2-d3e4-7f56-8a9b-0c1d2e3f4a5b"
    seats = tuple(replace(seat, name="Scheherazade " * 3) for seat in INFO.seats * 2)
    matches = [
        replace(INFO, match_id=match_id, preset=preset, status=status, seats=seats)
        for preset in list(Preset)[1:]
        for status in list(MatchStatus)[1:]
    ]
    console = Console(width=200, file=io.StringIO(), color_system=None)
    with console.capture() as captured:
        console.print(as_table(matches, INFO.created_at))
    facts = [line for line in captured.get().splitlines() if not line.startswith(" ")]
    assert max(len(line.rstrip()) for line in facts) <= 80
    narrow = Console(width=80, file=io.StringIO(), color_system=None)
    with narrow.capture() as captured:
        narrow.print(as_table(matches, INFO.created_at))
    assert [line for line in captured.get().splitlines() if not line.startswith(" ")] == facts


def test_of_a_match_of_today_the_time_is_told_and_of_another_the_day() -> None:
    console = Console(width=80, file=io.StringIO(), color_system=None)
    with console.capture() as captured:
        console.print(as_table([INFO], INFO.created_at))
        console.print(as_table([INFO], INFO.created_at + timedelta(days=2)))
    local = INFO.created_at.astimezone()
    made = [line.rstrip()[-6:].strip() for line in captured.get().splitlines() if "m1" in line]
    assert made == [local.strftime("%H:%M"), local.strftime("%d %b")]


def test_a_match_with_a_password_is_listed_as_one() -> None:
    console = Console(width=80, file=io.StringIO(), color_system=None)
    with console.capture() as captured:
        console.print(as_table([INFO, replace(INFO, has_password=True)]))
    _, _, without, _, with_password = captured.get().splitlines()
    assert with_password.strip() == f"{without.strip()} (with a password)"
