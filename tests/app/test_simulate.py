"""The command `durak-server simulate`: what it prints, and that the seed decides."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from durak_server.cli import app
from durak_server.matches import BotLevel
from durak_server.rules import preset
from durak_server.simulation import run_simulation, wilson

WILSON = [
    # hits, trials, low,  high: Newcombe, Statistics in Medicine 17 (1998), table I
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("hits", "trials", "low", "high"), WILSON)
def test_the_interval_is_wilsons(hits: int, trials: int, low: float, high: float) -> None:
    rate = wilson(hits, trials)
    assert rate.share == hits / trials
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=1e-4)


def simulated(*arguments: str) -> dict[str, Any]:  # Any: JSON
    """Return what the command prints as JSON, without what depends on the machine."""
    result = CliRunner().invoke(app, ["simulate", "--json", *arguments])
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout)  # Any: JSON
    for name in ("cpu_seconds", "deals_per_second", "moves_per_second", "compiled"):
        del told[name]
    return told


def test_the_seed_decides_everything() -> None:
    arguments = ("--preset", "perevodnoy", "--seats", "3", "--deals", "40")
    first, again, other = (simulated(*arguments, "--seed", seed) for seed in ("5", "5", "6"))
    assert first == again
    assert first != other
    assert (first["rules"], first["seed"], first["deals"]) == ("perevodnoy,seats=3", 5, 40)
    fools = [seat["fools"] for seat in first["seats"]]
    assert sum(fools) + first["without_fool"] == 40
    assert [seat["bot"] for seat in first["seats"]] == ["RANDOM"] * 3


def test_a_bot_that_keeps_its_trumps_beats_one_that_plays_anything() -> None:
    simulation = run_simulation(preset("podkidnoy"), [BotLevel.LOWEST, BotLevel.RANDOM], 60, 1)
    lowest, random = simulation.seats
    assert lowest.rate.high < random.rate.low


def test_it_tells_how_far_it_is() -> None:
    heard: list[int] = []
    run_simulation(preset("podkidnoy"), [BotLevel.RANDOM] * 2, 4, 1, heard.append)
    assert heard == [1, 2, 3, 4]


def test_the_text_names_rules_speed_and_every_seat() -> None:
    result = CliRunner().invoke(app, ["simulate", "--deals", "20", "--bots", "random,lowest"])
    first, second, *rows = result.stdout.splitlines()
    assert first.startswith("podkidnoy: 20 deals of ")
    assert [word for word in second.split() if word.isalpha()] == [
        *("deals", "a"),
        *("moves", "a", "second"),
    ]
    assert [row.split()[:2] for row in rows[1:3]] == [["0", "random"], ["1", "lowest"]]
    assert rows[3].startswith("nobody")


REFUSED = [
    (("--seats", "7"), "seats: there are 2 to 6 seats"),
    (("--bots", "random,clever"), "no such bot: 'clever'; there are random, lowest"),
    (("--bots", "random,lowest", "--seats", "3"), "2 bots for 3 seats"),
    (("--deals", "0"), "'--deals'"),
]


@pytest.mark.parametrize(("arguments", "text"), REFUSED)
def test_nonsense_is_refused(arguments: tuple[str, ...], text: str) -> None:
    result = CliRunner().invoke(app, ["simulate", *arguments])
    assert result.exit_code == 2
    assert text in result.stderr
