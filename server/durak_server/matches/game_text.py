"""A game as text: tags, then deals with their bouts (notation.md)."""

import json
from collections.abc import Iterator
from typing import Final

from durak_server.matches.game import Game, GameDeal, Left, Step
from durak_server.matches.player import Player
from durak_server.rules import format_cards, format_move, format_result, format_rules

VERSION: Final = "1"


def format_game(game: Game) -> str:
    """Return the game as text; `parse_game` gives an equal one back."""
    lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in _tags(game)]
    for number, deal in enumerate(game.deals, 1):
        lines += ("", *_deal(number, deal))
    return "\n".join((*lines, ""))


def _tags(game: Game) -> Iterator[tuple[str, str]]:
    yield "Durak", VERSION
    yield "Match", game.match_id
    yield "Preset", game.preset
    yield "Rules", format_rules(game.rules)
    yield "Began", game.began_at.isoformat()
    for seat, player in enumerate(game.seats):
        if player:
            yield from _player_tags(f"P{seat}", player)
    yield "Status", game.status
    yield "TimesFool", ",".join(map(str, game.times_fool))


def _player_tags(seat: str, player: Player) -> Iterator[tuple[str, str]]:
    yield seat, player.name
    yield f"{seat}Id", player.player_id
    yield f"{seat}Kind", f"{player.kind} {player.bot_level or ''}".rstrip()
    if player.has_left:
        yield f"{seat}Left", "yes"


def _deal(number: int, deal: GameDeal) -> Iterator[str]:
    yield f"deal {number} dealer P{deal.dealer} leader P{deal.leader}{_seats(deal)}"
    yield f"order {format_cards(deal.order)}"
    for bout_number, bout in enumerate(deal.bouts, 1):
        yield f"bout {bout_number}"
        yield from map(_step, bout)
    yield f"result {format_result(deal.result)}"


def _seats(deal: GameDeal) -> str:
    """Return who got cards, where not all did."""
    return "".join((" seats", *(f" P{seat}" for seat in deal.seats))) if deal.seats else ""


def _step(step: Step) -> str:
    what = "leave" if isinstance(step, Left) else format_move(step.move)
    seconds, milliseconds = divmod(step.after_ms, 1000)
    return f"P{step.seat} {what} +{seconds}.{milliseconds:03}"
