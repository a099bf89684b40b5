"""The vectors in docs/fair-deals.md hold for the server, for the client, and for a stranger."""

import json
import subprocess
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

from durak_client import fair
from durak_server.matches import Shuffle, commitment_to, shuffled
from durak_server.rules import card_name

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Vector:
    """Inputs and results of one shuffle; bytes in hexadecimal, the order as cards in a line."""

    name: str
    match_id: str
    shuffle: int
    server_seed: str
    seeds: dict[str, str]
    deck: int
    commitment: str
    key: str
    stream: str
    order: str

    @property
    def seed(self) -> bytes:
        return bytes.fromhex(self.server_seed)

    @property
    def by_seat(self) -> dict[int, bytes]:
        return {int(seat): bytes.fromhex(seed) for seat, seed in self.seeds.items()}


VECTORS = [
    Vector(**vector)
    for vector in json.loads((FOLDER / "vectors.json").read_text(encoding="utf-8"))["vectors"]
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_server_shuffles_so(vector: Vector) -> None:
    shuffle = Shuffle(vector.shuffle, vector.seed, tuple(vector.by_seat.items()))
    order = shuffled(vector.deck, vector.match_id, shuffle)
    assert " ".join(map(card_name, order)) == vector.order
    assert shuffle.commitment.hex() == commitment_to(vector.seed).hex() == vector.commitment


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_client_computes_the_same(vector: Vector) -> None:
    inputs = (vector.match_id, vector.shuffle, vector.seed, vector.by_seat)
    key = fair.shuffle_key(*inputs)
    order = fair.deck_order(vector.deck, *inputs)
    assert " ".join(card.code for card in order) == vector.order
    assert fair.commitment_to(vector.seed).hex() == vector.commitment
    assert key.hex() == vector.key
    assert bytes(islice(fair.sha256_stream(key), 32)).hex() == vector.stream


def test_node_computes_the_same() -> None:
    script = ("node", FOLDER / "order.js", FOLDER / "vectors.json")
    told = subprocess.run(script, check=True, capture_output=True).stdout
    assert json.loads(told) == [
        {
            "commitment": vector.commitment,
            "key": vector.key,
            "stream": vector.stream,
            "order": vector.order,
        }
        for vector in VECTORS
    ]


def test_the_vectors_are_worth_it() -> None:
    assert {vector.deck for vector in VECTORS} == {24, 36, 52, 54}
    assert len({vector.order for vector in VECTORS}) == len(VECTORS)
    assert all(len(vector.order.split()) == vector.deck for vector in VECTORS)


def test_there_is_no_deck_of_another_size() -> None:
    with pytest.raises(ValueError, match="no deck has 32 cards"):
        fair.deck_order(32, "m", 1, bytes(32), {})
