"""The command `durak-server simulate`."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import Progress

from durak_server.matches import BotLevel
from durak_server.rules import Preset, RuleSet, preset, problems
from durak_server.rules.cards import COMPILED
from durak_server.rules.ruletext import format_rules
from durak_server.simulation import Simulation, run_simulation

_PROGRESS_STEP: Final = 256
"""Deals between two strokes of the progress bar: each costs more than a deal."""


def simulate_command(
    preset_name: Annotated[
        Preset, typer.Option("--preset", help="The rules.", show_choices=True)
    ] = Preset.PODKIDNOY,
    seats: Annotated[int, typer.Option(help="Players, 2 to 6.")] = 2,
    bots: Annotated[
        str | None, typer.Option(help="A bot for each seat: random or lowest. [all random]")
    ] = None,
    deals: Annotated[int, typer.Option(min=1, help="Deals to play.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play deals between bots in this process and print speed and fool rates.

    Example: durak-server simulate --preset perevodnoy --bots random,lowest --deals 10000 --seed 7
    """
    rules = preset(preset_name, seats=seats)
    for problem in problems(rules):
        raise typer.BadParameter(f"{problem.field}: {problem.text}")
    levels = _levels(bots, seats)
    with Progress(console=Console(stderr=True), transient=True, disable=as_json) as progress:
        simulation = run_simulation(rules, levels, deals, seed, _teller(progress, deals))
    typer.echo(_as_json(rules, seed, simulation) if as_json else _as_text(rules, simulation))


def _levels(bots: str | None, seats: int) -> list[BotLevel]:
    names = ["random"] * seats if bots is None else bots.split(",")
    known = {level.value.lower(): level for level in BotLevel}
    for name in names:
        if name not in known:
            raise typer.BadParameter(f"no such bot: {name!r}; there are {', '.join(known)}")
    if len(names) != seats:
        raise typer.BadParameter(f"{len(names)} bots for {seats} seats")
    return [known[name] for name in names]


def _teller(progress: Progress, deals: int) -> Callable[[int], None]:
    task = progress.add_task("deals", total=deals)

    def tell(number: int) -> None:
        if number % _PROGRESS_STEP == 0 or number == deals:
            progress.update(task, completed=number)

    return tell


def _as_text(rules: RuleSet, simulation: Simulation) -> str:
    deals, moves = simulation.deals, simulation.moves
    lines = [
        f"{format_rules(rules)}: {deals} deals of {moves / deals:.1f} moves"
        f" in {simulation.cpu_seconds:.2f} s of one core{' (compiled)' if COMPILED else ''}",
        f"{simulation.deals_per_second:.0f} deals a second,"
        f" {simulation.moves_per_second:.0f} moves a second",
        "seat  bot     fool     95 % interval",
    ]
    lines += [
        f"{result.seat:<6}{result.bot.lower():<8}{result.rate.share:6.2%}"
        f"   {result.rate.low:6.2%} to {result.rate.high:6.2%}"
        for result in simulation.seats
    ]
    lines.append(f"nobody        {simulation.without_fool / deals:6.2%}")
    return "\n".join(lines)


def _as_json(rules: RuleSet, seed: int, simulation: Simulation) -> str:
    told = {
        "rules": format_rules(rules),
        "seed": seed,
        "compiled": COMPILED,
        **asdict(simulation),
        "deals_per_second": simulation.deals_per_second,
        "moves_per_second": simulation.moves_per_second,
    }
    return json.dumps(told)
