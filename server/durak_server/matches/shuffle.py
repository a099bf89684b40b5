"""How a deck is shuffled from seeds, to the byte as docs/fair-deals.md has it."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import Final

from durak_server.rules import Card, deck_cards

SERVER_SEED_BYTES: Final = 32
LONGEST_PLAYER_SEED: Final = 64
_DOMAIN: Final = b"durak.v1/shuffle"


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What a deck is shuffled from. `server_seed` is secret until the deal is over.

    `number` counts the decks of a match from 1; `seeds` are those of players, with their seats,
    ascending by seat.
    """

    number: int
    server_seed: bytes
    seeds: tuple[tuple[int, bytes], ...] = ()

    @property
    def commitment(self) -> bytes:
        """What binds the server to its seed: 32 bytes that everybody may see."""
        return commitment_to(self.server_seed)

    def with_seed(self, seat: int, seed: bytes) -> "Shuffle":
        """Return the same with the seed of one more seat."""
        return Shuffle(self.number, self.server_seed, tuple(sorted((*self.seeds, (seat, seed)))))

    def without_seat(self, seat: int) -> "Shuffle":
        """Return the same without the seed of a seat, if it has one."""
        seeds = tuple(pair for pair in self.seeds if pair[0] != seat)
        return Shuffle(self.number, self.server_seed, seeds)


def commitment_to(server_seed: bytes) -> bytes:
    """Return the SHA-256 of a seed."""
    return sha256(server_seed).digest()


def shuffled(deck: int, match_id: str, shuffle: Shuffle) -> tuple[Card, ...]:
    """Return a deck of that many cards in the order that the seeds give, each order as likely.

    Fisher and Yates' shuffle of the ascending deck, from its end.
    """
    cards = list(deck_cards(deck))
    stream = _stream(_key(match_id, shuffle))
    for last in range(len(cards) - 1, 0, -1):
        other = _below(last + 1, stream)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def _key(match_id: str, shuffle: Shuffle) -> bytes:
    """Return the digest of everything that decides; no two inputs are written alike."""
    parts = [
        _framed(_DOMAIN),
        _framed(match_id.encode()),
        _number(shuffle.number),
        _framed(shuffle.server_seed),
        _number(len(shuffle.seeds)),
    ]
    parts += [_number(seat) + _framed(seed) for seat, seed in shuffle.seeds]
    return sha256(b"".join(parts)).digest()


def _framed(data: bytes) -> bytes:
    return _number(len(data)) + data


def _number(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _stream(key: bytes) -> Iterator[int]:
    for block in count():
        yield from sha256(key + block.to_bytes(8, "big")).digest()


def _below(bound: int, stream: Iterator[int]) -> int:
    """Return a number from 0 to `bound` - 1, each as likely; `bound` is 256 at most."""
    # The last, incomplete round of remainders would favour the small ones.
    rejected_from = 256 - 256 % bound
    return next(byte for byte in stream if byte < rejected_from) % bound
