"""Numbers of ways to go on, as a check on legal moves and what follows from them at once."""

from pathlib import Path

import pytest
import yaml

from durak_server.rules import Move, Position, Refusal, expand, legal_moves, parse_position, play
from tests.referee.counting import paths
from tests.referee.notation import position_from

ROWS = [
    pytest.param(row["position"], row["counts"], id=row["what"])
    for row in yaml.safe_load(Path(__file__).with_name("path_counts.yaml").read_text())
]


def engine_paths(position: Position, depth: int) -> int:
    choices = [
        (seat, move)
        for seat in range(position.law.seats)
        for group in legal_moves(position, seat)
        for move in expand(group)
    ]
    if depth == 1:
        return len(choices)
    return sum(engine_paths(after(position, seat, move), depth - 1) for seat, move in choices)


def after(position: Position, seat: int, move: Move) -> Position:
    answer = play(position, move, seat)
    assert not isinstance(answer, Refusal), answer.text
    return answer[0]


@pytest.mark.parametrize(("line", "counts"), ROWS)
def test_the_engine_goes_on_in_so_many_ways(line: str, counts: list[int]) -> None:
    position = parse_position(line)
    assert [engine_paths(position, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("line", "counts"), ROWS)
def test_the_referee_goes_on_in_as_many(line: str, counts: list[int]) -> None:
    deal = position_from(line)
    assert [paths(deal, depth) for depth in range(1, len(counts) + 1)] == counts
