"""From seeds to the order of a deck, by the letter of the server's docs/fair-deals.md.

Nothing of the server is in here: whoever checks a deal with this trusts hashes and nobody else.
"""

import struct
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import count

from durak_client.cards import JOKERS, Card, Suit

_LOWEST_RANKS = {24: 9, 36: 6, 52: 2, 54: 2}


def commitment_to(server_seed: bytes) -> bytes:
    """Return what a server publishes beforehand of its seed, 32 bytes."""
    return sha256(server_seed).digest()


def deck_order(
    deck: int, match_id: str, shuffle: int, server_seed: bytes, seeds: Mapping[int, bytes]
) -> tuple[Card, ...]:
    """Return a deck of 24, 36, 52 or 54 cards as it is dealt, first card first.

    `shuffle` is the shuffle's number in the match, `seeds` are those of the players by seat.

    Raises:
        ValueError: there is no deck of that size.
    """
    cards = _ascending(deck)
    numbers = sha256_stream(shuffle_key(match_id, shuffle, server_seed, seeds))
    for place in reversed(range(1, deck)):
        drawn = _draw(numbers, place + 1)
        cards[drawn], cards[place] = cards[place], cards[drawn]
    return tuple(cards)


def shuffle_key(
    match_id: str, shuffle: int, server_seed: bytes, seeds: Mapping[int, bytes]
) -> bytes:
    """Return the 32 bytes to which everything that decides about a deck is boiled down."""
    digest = sha256(_framed(b"durak.v1/shuffle") + _framed(match_id.encode()))
    digest.update(struct.pack(">I", shuffle) + _framed(server_seed))
    digest.update(struct.pack(">I", len(seeds)))
    for seat in sorted(seeds):
        digest.update(struct.pack(">I", seat) + _framed(seeds[seat]))
    return digest.digest()


def sha256_stream(key: bytes) -> Iterator[int]:
    """Yield the bytes of SHA-256(key, 0), SHA-256(key, 1) ... without end."""
    for number in count():
        yield from sha256(key + struct.pack(">Q", number)).digest()


def _framed(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def _draw(numbers: Iterator[int], below: int) -> int:
    while (number := next(numbers)) >= 256 - 256 % below:
        pass
    return number % below


def _ascending(deck: int) -> list[Card]:
    if deck not in _LOWEST_RANKS:
        raise ValueError(f"no deck has {deck} cards")
    ranks = range(_LOWEST_RANKS[deck], 15)
    cards = [Card(16 * suit + rank) for suit in Suit if suit for rank in ranks]
    return cards + [Card(number) for number in JOKERS] if deck == 54 else cards
