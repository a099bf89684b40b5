"""Reading a game from text (notation.md)."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from durak_server.matches.game import Game, GameDeal, Left, Moved, Step
from durak_server.matches.game_text import VERSION
from durak_server.matches.player import BotLevel, Player, PlayerKind
from durak_server.matches.state import MatchStatus
from durak_server.rules import (
    Preset,
    Refusal,
    RuleSet,
    parse_cards,
    parse_move,
    parse_result,
    parse_rules,
    problems,
)

_TAG: Final = re.compile(r'\[([A-Za-z0-9]+) (".*")\]')
_DEAL: Final = re.compile(
    r"deal ([0-9]{1,6}) dealer P([0-5]) leader P([0-5])(?: seats((?: P[0-5]){2,5}))?"
)
_BOUT: Final = re.compile(r"bout ([0-9]{1,6})")
_STEP: Final = re.compile(r"P([0-5]) ([A-Za-z0-9 ]+?)(?: \+([0-9]{1,9})\.([0-9]{3}))?")

Value = TypeVar("Value")


class GameTextError(Exception):
    """The text is no game: `line` counts from 1 and `problem` says what is wrong there."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


def parse_game(text: str) -> Game:
    """Return the game that a text tells; whether it can be played so, `game_log` finds out.

    Raises:
        GameTextError: it is no such text.
    """
    lines = _Lines(text)
    tags = _read_tags(lines)
    deals: list[GameDeal] = []
    while lines.has_more:
        deals.append(_read_deal(lines, len(deals) + 1))
    return _game(tags, tuple(deals))


class _Lines:
    """The lines that say something, one after the other."""

    def __init__(self, text: str) -> None:
        # Not splitlines: a name may hold a character that it takes for the end of a line.
        numbered = enumerate((line.strip(" \t\r") for line in text.split("\n")), 1)
        self._lines = [(n, line) for n, line in numbered if line and not line.startswith("#")]
        self._at = 0
        self._end = text.count("\n") + 1

    @property
    def has_more(self) -> bool:
        return self._at < len(self._lines)

    @property
    def number(self) -> int:
        """The number of the next line, of the text's last one at the end."""
        return self._lines[self._at][0] if self.has_more else self._end

    @property
    def text(self) -> str:
        """The next line, empty at the end."""
        return self._lines[self._at][1] if self.has_more else ""

    def skip(self) -> None:
        """Go on to the line after the next."""
        self._at += 1

    def error(self, problem: object) -> GameTextError:
        """Return what is wrong with the next line."""
        return GameTextError(self.number, str(problem))


class _Tags:
    """The tags by name, each with its line."""

    def __init__(self) -> None:
        self.end = 1
        """The line after the last tag."""
        self._values: dict[str, tuple[int, str]] = {}

    def add(self, name: str, line: int, value: str) -> None:
        if name in self._values:
            raise GameTextError(line, f"{name} is said twice")
        self._values[name] = line, value

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def read(self, name: str, convert: Callable[[str], Value]) -> Value:
        """Return the value of a tag.

        Raises:
            GameTextError: it is missing, or `convert` raises ValueError.
        """
        if name not in self._values:
            raise GameTextError(self.end, f"the tag {name} is missing")
        line, value = self._values[name]
        try:
            return convert(value)
        except ValueError as error:
            raise GameTextError(line, f"{name}: {error}") from error


def _read_tags(lines: _Lines) -> _Tags:
    tags = _Tags()
    while lines.text.startswith("["):
        tag = _TAG.fullmatch(lines.text)
        if tag is None:
            raise lines.error('a tag is written [Name "value"]')
        try:
            value = json.loads(tag[2])
        except ValueError as error:
            raise lines.error("the value is no JSON string") from error
        tags.add(tag[1], lines.number, value)
        lines.skip()
    tags.end = lines.number
    return tags


def _game(tags: _Tags, deals: tuple[GameDeal, ...]) -> Game:
    tags.read("Durak", _version)
    rules = tags.read("Rules", _rules)
    return Game(
        match_id=tags.read("Match", str),
        preset=tags.read("Preset", Preset),
        rules=rules,
        began_at=tags.read("Began", _moment),
        seats=tuple(_player(tags, f"P{seat}") for seat in range(rules.seats)),
        status=tags.read("Status", MatchStatus),
        times_fool=tags.read("TimesFool", _numbers),
        deals=deals,
    )


def _player(tags: _Tags, seat: str) -> Player | None:
    if seat not in tags:
        return None
    kind, bot_level = tags.read(f"{seat}Kind", _kind)
    return Player(
        player_id=tags.read(f"{seat}Id", str),
        name=tags.read(seat, str),
        kind=kind,
        bot_level=bot_level,
        has_left=f"{seat}Left" in tags,
    )


def _version(text: str) -> None:
    if text != VERSION:
        raise ValueError(f"only version {VERSION} is known")


def _rules(text: str) -> RuleSet:
    rules = parse_rules(text)
    for problem in problems(rules):
        raise ValueError(problem.text)
    return rules


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.utcoffset() != timedelta():
        raise ValueError("must be in UTC, such as 2026-11-30T12:00:00+00:00")
    return moment.replace(tzinfo=UTC)


def _kind(text: str) -> tuple[PlayerKind, BotLevel | None]:
    kind, _, level = text.partition(" ")
    return PlayerKind(kind), BotLevel(level) if level else None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _read_deal(lines: _Lines, number: int) -> GameDeal:
    head = _DEAL.fullmatch(lines.text)
    if head is None or int(head[1]) != number:
        raise lines.error(f"expected: deal {number} dealer P0 leader P1")
    lines.skip()
    order = _read_word(lines, "order", parse_cards)
    bouts: list[tuple[Step, ...]] = []
    after_ms = 0
    while bout := _BOUT.fullmatch(lines.text):
        if int(bout[1]) != len(bouts) + 1:
            raise lines.error(f"bout {bout[1]} comes after {len(bouts)} bouts")
        lines.skip()
        steps = _read_steps(lines, after_ms)
        after_ms = steps[-1].after_ms if steps else after_ms
        bouts.append(steps)
    result = _read_word(lines, "result", parse_result)
    seats = tuple(int(seat[1:]) for seat in (head[4] or "").split())
    return GameDeal(order, int(head[2]), int(head[3]), tuple(bouts), result, seats)


def _read_word(lines: _Lines, word: str, convert: Callable[[str], Value]) -> Value:
    """Return what follows a word on the next line."""
    first, _, rest = lines.text.partition(" ")
    if first != word:
        raise lines.error(f"expected: {word} ...")
    try:
        value = convert(rest)
    except ValueError as error:
        raise lines.error(f"{word}: {error}") from error
    lines.skip()
    return value


def _read_steps(lines: _Lines, after_ms: int) -> tuple[Step, ...]:
    """Return the steps that follow; one without a time has that of the step before."""
    steps: list[Step] = []
    while lines.text.startswith("P"):
        words = _STEP.fullmatch(lines.text)
        if words is None:
            raise lines.error("a step is written: P0 attack 7S +1.250")
        if words[3]:
            after_ms = int(words[3]) * 1000 + int(words[4])
        steps.append(_step(lines, int(words[1]), words[2], after_ms))
        lines.skip()
    return tuple(steps)


def _step(lines: _Lines, seat: int, words: str, after_ms: int) -> Step:
    if words == "leave":
        return Left(seat, after_ms)
    try:
        move = parse_move(words)
    except ValueError as error:
        raise lines.error(error) from error
    if isinstance(move, Refusal):
        raise lines.error(move.text)
    return Moved(seat, move, after_ms)
