"""A deal with all cards open, as the order of its deck makes it."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from durak_client import events as facts
from durak_client.beating import beats
from durak_client.cards import Card, Suit
from durak_client.events import BoutOutcome, Fact
from durak_client.matches import Option

_HAND_SIZE = 6


class Misfit(StrEnum):
    """What an event shows and the order of the deck cannot give."""

    ORDER = "ORDER"
    """The deck is told to have been another one."""
    HAND = "HAND"
    """A hand was dealt otherwise."""
    TRUMP = "TRUMP"
    """Another card, or another suit, was turned up."""
    STOCK = "STOCK"
    """The stock had another size."""
    DRAWN = "DRAWN"
    """Other cards were drawn."""
    PLAYED = "PLAYED"
    """A card came from a hand in which it was not."""
    COVERED = "COVERED"
    """Something was covered that was no attack card lying open, or by a card not beating it."""


class DoesNotFit(Exception):
    """An event and the order of the deck contradict each other."""

    def __init__(self, misfit: Misfit) -> None:
        super().__init__(misfit.value)
        self.misfit = misfit


class OpenTable:
    """Who has which cards, event after event.

    Raises:
        DoesNotFit: already what was dealt is not what `order` gives.
    """

    def __init__(
        self, order: tuple[Card, ...], started: facts.DealStarted, rules: Mapping[str, Option]
    ) -> None:
        self._hands = _dealt(order, started, rules)
        dealt = _HAND_SIZE * len(started.seats)
        trump_card, trump, self._stock = _turned_up(order[dealt:], order, rules)
        self._trump, self._rules = trump, rules
        self._laid: set[Card] = set()
        self._uncovered: set[Card] = set()
        self._dumped: dict[int, set[Card]] = {}
        self._defender = started.leader
        self._is_taking = False
        _require(started.order in ((), order), Misfit.ORDER)
        _require(_shown_hands_fit(started, self._hands), Misfit.HAND)
        _require((started.trump_card, started.trump) == (trump_card, trump), Misfit.TRUMP)
        _require(started.stock_size == len(self._stock), Misfit.STOCK)

    def take_in(self, fact: Fact) -> None:
        """Do what an event tells.

        Raises:
            DoesNotFit: it cannot have happened with these cards.
        """
        match fact:
            case facts.Led(seat, cards) | facts.ThrownIn(seat, cards):
                self._attack(seat, cards)
            case facts.Transferred(seat, cards, defender):
                self._attack(seat, cards)
                self._defender = defender
            case facts.Beaten(seat, target, cover):
                self._take_dumps_back()
                self._cover(seat, target, cover)
            case facts.Retracted(seat, card):
                self._take_dumps_back()
                self._uncovered.discard(card)
                self._give_back(seat, (card,), self._laid)
            case facts.Dumped(seat, cards):
                self._leave_hand(seat, cards)
                self._dumped.setdefault(seat, set()).update(cards)
            case _:
                self._take_in_show(fact)

    def _take_in_show(self, fact: Fact) -> None:
        """Do what an event tells that moves no card to the table."""
        match fact:
            case facts.Shown(seat, card, defender):
                _require(card in self._hand(seat), Misfit.PLAYED)
                self._take_dumps_back()
                self._defender = defender
            case facts.RedealClaimed(seat, hand):
                _require(set(hand) == self._hand(seat), Misfit.HAND)
            case facts.TakeDeclared():
                self._is_taking = True
            case facts.BoutStarted(defender=defender):
                self._defender = defender
            case facts.BoutEnded():
                self._end_bout(fact)
            case facts.Drew(seat, count, cards):
                self._draw(seat, count, cards)
            case facts.Forfeited(seat):
                self._hand(seat).clear()
            case _:
                pass

    def _hand(self, seat: int) -> set[Card]:
        return self._hands.setdefault(seat, set())

    def _attack(self, seat: int, cards: Iterable[Card]) -> None:
        # Cards laid aside come back when the attack goes on, but not once the defender takes.
        if not self._is_taking:
            self._take_dumps_back()
        self._lay(seat, cards)
        self._uncovered.update(cards)

    def _cover(self, seat: int, target: Card, cover: Card) -> None:
        self._lay(seat, (cover,))
        _require(target in self._uncovered, Misfit.COVERED)
        _require(beats(cover, target, self._trump, self._rules), Misfit.COVERED)
        self._uncovered.discard(target)

    def _lay(self, seat: int, cards: Iterable[Card]) -> None:
        self._leave_hand(seat, cards)
        self._laid.update(cards)

    def _leave_hand(self, seat: int, cards: Iterable[Card]) -> None:
        _require(self._hand(seat).issuperset(cards), Misfit.PLAYED)
        self._hand(seat).difference_update(cards)

    def _take_dumps_back(self) -> None:
        for seat, cards in self._dumped.items():
            self._hand(seat).update(cards)
        self._dumped = {}

    def _give_back(self, seat: int, cards: Iterable[Card], source: set[Card]) -> None:
        _require(source.issuperset(cards), Misfit.PLAYED)
        source.difference_update(cards)
        self._hand(seat).update(cards)

    def _end_bout(self, ended: facts.BoutEnded) -> None:
        rest = self._laid.union(*self._dumped.values())
        for part in ended.returned:
            self._give_back(part.seat, part.cards, rest)
        if ended.outcome == BoutOutcome.TAKEN:
            self._hand(self._defender).update(rest)
        self._laid, self._uncovered = set(), set()
        self._dumped, self._is_taking = {}, False

    def _draw(self, seat: int, count: int, shown: tuple[Card, ...]) -> None:
        drawn, self._stock = self._stock[:count], self._stock[count:]
        fits = shown == drawn if len(shown) == count else set(shown) <= set(drawn)
        _require(fits and len(drawn) == count, Misfit.DRAWN)
        self._hand(seat).update(drawn)


def _require(fits: bool, misfit: Misfit) -> None:
    if not fits:
        raise DoesNotFit(misfit)


def _dealt(
    order: tuple[Card, ...], started: facts.DealStarted, rules: Mapping[str, Option]
) -> dict[int, set[Card]]:
    """Return the hands: `deal_step` cards at a time, clockwise from the dealer's left."""
    step, total = int(rules["deal_step"]), int(rules["seats"])
    seats = sorted(started.seats, key=lambda seat: (seat - started.dealer - 1) % total)
    hands: dict[int, set[Card]] = {seat: set() for seat in seats}
    for number, start in enumerate(range(0, _HAND_SIZE * len(seats), step)):
        hands[seats[number % len(seats)]].update(order[start : start + step])
    return hands


def _turned_up(
    stock: tuple[Card, ...], order: tuple[Card, ...], rules: Mapping[str, Option]
) -> tuple[Card | None, Suit, tuple[Card, ...]]:
    """Return the card turned up, the trump suit, and the stock with that card at its end.

    Jokers that come before it go into the middle of the stock. Where nothing is left to turn up,
    it is the last card dealt.
    """
    if rules["trump"] == "DIAMONDS":
        return None, Suit.DIAMONDS, stock
    if not stock:
        return order[-1], order[-1].suit, stock
    at = next(place for place, card in enumerate(stock) if not card.is_joker)
    jokers, rest = stock[:at], stock[at + 1 :]
    middle = len(rest) // 2
    stock_as_drawn = (*rest[:middle], *jokers, *rest[middle:], stock[at])
    return stock[at], stock[at].suit, stock_as_drawn


def _shown_hands_fit(started: facts.DealStarted, hands: Mapping[int, set[Card]]) -> bool:
    """Return whether the viewer's hand is one that was dealt, and so are all open ones."""
    own_fits = not started.hand or set(started.hand) in hands.values()
    opened = dict(zip(started.seats, started.dealt_hands, strict=False))
    return own_fits and all(set(cards) == hands[seat] for seat, cards in opened.items())
