"""Playing cards."""

from dataclasses import dataclass
from typing import Self

from durak_client.open_enum import OpenEnum


class Suit(OpenEnum):
    """A suit. Suits have no order in the game; the numbers are those of the wire."""

    UNSPECIFIED = 0
    SPADES = 1
    HEARTS = 2
    DIAMONDS = 3
    CLUBS = 4

    @property
    def sign(self) -> str:
        """The sign on the card, `?` for a suit this client does not know."""
        return "?♠♥♦♣"[self] if self.is_known else "?"

    @property
    def letter(self) -> str:
        """The suit as one ASCII letter, `?` for a suit this client does not know."""
        return "?SHDC"[self] if self.is_known else "?"

    @property
    def is_red(self) -> bool:
        """Whether its cards are printed red."""
        return self in {Suit.HEARTS, Suit.DIAMONDS}


JOKERS = {81: "JKR", 82: "JKB"}
_RANKS = "??23456789TJQKA?"
_SUIT_OF_SIGN = {sign: suit for suit in Suit if suit for sign in (suit.sign, suit.letter)}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card, by its number on the wire: 16 * suit + rank, 81 and 82 for the jokers.

    Cards sort by number, so suit by suit. A number that no deck of today has is kept as it is.
    """

    number: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `7S`, `TS`, `10S`, `10♠`, `JKR` or `JKB`, in either case.

        Raises:
            ValueError: the text is no card.
        """
        code = text.strip().upper().replace("10", "T")
        for number, joker in JOKERS.items():
            if code == joker:
                return cls(number)
        rank = _RANKS.find(code[:1]) if code[:1] not in {"", "?"} else -1
        suit = _SUIT_OF_SIGN.get(code[1:])
        if rank < 0 or suit is None:
            raise ValueError(f"{text!r} is no card: write it like 7S, 10H or QD")
        return cls(16 * suit + rank)

    @property
    def suit(self) -> Suit:
        """Its suit; UNSPECIFIED for a joker."""
        return Suit.UNSPECIFIED if self.is_joker else Suit(self.number >> 4)

    @property
    def rank(self) -> int:
        """Its rank: 2 to 10, 11 jack, 12 queen, 13 king, 14 ace; 15 for a joker."""
        return 15 if self.is_joker else self.number & 15

    @property
    def is_joker(self) -> bool:
        """Whether it is one of the two jokers."""
        return self.number in JOKERS

    @property
    def is_known(self) -> bool:
        """Whether this version of the client knows the card."""
        return self.is_joker or (self.suit.is_known and self.suit > 0 and 2 <= self.rank <= 14)

    @property
    def is_red(self) -> bool:
        """Whether it is printed red."""
        return self.number == 81 or self.suit.is_red

    @property
    def code(self) -> str:
        """The card in ASCII: `7S`, `TH`, `JKR`; `#99` for a number not known here."""
        if self.is_joker:
            return JOKERS[self.number]
        return f"{_RANKS[self.rank]}{self.suit.letter}" if self.is_known else f"#{self.number}"

    def __repr__(self) -> str:
        """Return what makes the card, such as `Card.parse('7S')`: whole hands can be read so."""
        return f"Card.parse({self.code!r})" if self.is_known else f"Card(number={self.number})"

    def __str__(self) -> str:
        """Return the card as it is printed: `7♠`, `10♥`, `★` for a joker."""
        if self.is_joker:
            return "★"
        if not self.is_known:
            return self.code
        return f"{_RANKS[self.rank].replace('T', '10')}{self.suit.sign}"
