"""A rule set as tables: what the engine would otherwise work out on every move."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from durak_server.rules.cards import (
    BIT,
    BLACK_JOKER,
    RED_JOKER,
    SPADES,
    Card,
    Mask,
    deck_cards,
    mask_of,
    rank_of,
    suit_of,
)
from durak_server.rules.options import (
    AttackCap,
    DrawOrder,
    Dump,
    FinalDraw,
    FirstBoutCap,
    Jokers,
    Overthrow,
    RedealRight,
    RuleSet,
    Teams,
    ThrowIn,
    ThrowInPriority,
    ThrowInTiming,
    TransferHandCheck,
    Trump,
)

_CARDS: Final = range(54)
ALL_CARDS: Final[Mask] = mask_of(_CARDS)
RANK_MASKS: Final[tuple[Mask, ...]] = tuple(
    mask_of(card for card in _CARDS if rank_of(card) == rank) for rank in range(14)
)
SAME_RANK: Final[tuple[Mask, ...]] = tuple(RANK_MASKS[rank_of(card)] for card in _CARDS)
"""For each card all cards of its rank, itself included."""
SUIT_MASKS: Final[tuple[Mask, ...]] = tuple(
    mask_of(card for card in _CARDS if suit_of(card) == suit) for suit in range(4)
)
RED_CARDS: Final[Mask] = SUIT_MASKS[1] | SUIT_MASKS[2] | BIT[RED_JOKER]
BLACK_CARDS: Final[Mask] = SUIT_MASKS[0] | SUIT_MASKS[3] | BIT[BLACK_JOKER]
ACE: Final = 12
HAND_SIZE: Final = 6
"""So many cards are dealt to each, and up to so many are drawn (rules.md, 2.2 and 7.2)."""
UNLIMITED: Final = 54
"""A limit of attack cards that no bout can reach."""
SEAT_BITS: Final[tuple[int, ...]] = (1, 2, 4, 8, 16, 32)


class Law:
    """What a rule set means for play. One per rule set: get it from `law_of`."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.seats = rules.seats
        self._set_options(rules)
        self._set_seats(rules)
        self._set_cards(rules)

    def _set_options(self, rules: RuleSet) -> None:
        self.deal_step = rules.deal_step
        self.trump_is_diamonds = rules.trump is Trump.DIAMONDS
        self.lead_many = rules.lead_many
        self.throw_in = rules.throw_in is not ThrowIn.NONE
        self.neighbours_only = rules.throw_in is ThrowIn.NEIGHBOURS
        self.in_order = rules.throw_in_priority is ThrowInPriority.LEADER_FIRST
        self.free = rules.throw_in_priority is ThrowInPriority.FREE
        self.after_covered = rules.throw_in_timing is ThrowInTiming.AFTER_COVERED
        self.throw_many = rules.throw_in_many
        self.throw_after_take = self.throw_in and rules.throw_in_after_take
        self.attack_cap = UNLIMITED if rules.attack_cap is AttackCap.HAND else 6
        self.five_at_first = rules.first_bout_cap is FirstBoutCap.FIRST_BOUT
        self.five_until_discard = rules.first_bout_cap is FirstBoutCap.UNTIL_FIRST_DISCARD
        self.has_first_cap = self.five_at_first or self.five_until_discard
        self.overthrow = rules.overthrow is Overthrow.RETURN_EXCESS
        self.retract = rules.retract
        self.dump_may = rules.dump is Dump.MAY
        self.dump_must = rules.dump is Dump.MUST
        self.transfer = rules.transfer
        self.transfer_first_bout = rules.transfer_first_bout
        self.transfer_many = rules.transfer_many
        self.transfer_show = rules.transfer_show
        self.check_next_hand = rules.transfer_hand_check is TransferHandCheck.REQUIRE
        self.teams = rules.teams is Teams.ALTERNATE
        self.main_attacker_draws_first = rules.draw_order is DrawOrder.MAIN_ATTACKER_CLOCKWISE
        self.draw_in_rounds = rules.final_draw is FinalDraw.ROUND_ROBIN

    def _set_seats(self, rules: RuleSet) -> None:
        self.everyone = sum(SEAT_BITS[: rules.seats])
        every_set = range(self.everyone + 1)
        self.clockwise = tuple(
            tuple((seat + step) % rules.seats for step in range(1, rules.seats + 1))
            for seat in range(rules.seats)
        )
        """For each seat all seats from its left round to itself."""
        self.next_seat = tuple(
            tuple(_first_of(self.clockwise[seat], seats) for seats in every_set)
            for seat in range(rules.seats)
        )
        """For each seat and set of seats the first of them clockwise from its left, or -1."""
        self.first_seat = tuple(
            tuple(_first_of((seat, *self.clockwise[seat]), seats) for seats in every_set)
            for seat in range(rules.seats)
        )
        """The same clockwise from the seat itself."""
        self.next_rival = tuple(
            tuple(self._next_rival(seat, seats) for seats in every_set)
            for seat in range(rules.seats)
        )
        """The same, of those who play against the seat."""
        self.entitled = tuple(
            tuple(
                tuple(self._entitled(main, defender, seats) for seats in every_set)
                for defender in range(rules.seats)
            )
            for main in range(rules.seats)
        )
        """By main attacker, defender and who is in play, who may throw in (rules.md, 4.1)."""
        self.draw_orders = tuple(
            tuple(self._draw_order(rules.draw_order, first, last) for last in range(rules.seats))
            for first in range(rules.seats)
        )
        """By who draws first and who defends, all seats in the order in which they draw."""

    def _set_cards(self, rules: RuleSet) -> None:
        self.deck = deck_cards(rules.deck)
        self.deck_mask = mask_of(self.deck)
        self.ranks = tuple(rank & self.deck_mask for rank in RANK_MASKS if rank & self.deck_mask)
        """The cards of each rank of the deck, lowest rank first."""
        self.trumps = tuple(suit & self.deck_mask for suit in SUIT_MASKS)
        self.beaten_by = tuple(
            tuple(_beaten_by(rules, trump, self.deck_mask, card) for card in _CARDS)
            for trump in range(4)
        )
        """By trump suit and card, the cards that beat it."""
        self.uniform_hands = _UNIFORM[rules.redeal_right]
        """A hand inside one of these sets gives the right to a new deal."""
        self.has_rare_leads = rules.deck == 54 or bool(self.uniform_hands)
        """Whether there can be leads of two jokers, or a claim in place of a lead."""
        self.has_last_moves = self.retract or self.dump_may or bool(self.uniform_hands)
        """Whether there can be moves that are listed after a take or a pass."""
        self.has_more_defences = self.transfer or self.has_last_moves
        """Whether a defender can have other moves than to beat and to take."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Law) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self.rules)

    def _rivals_of(self, seat: int) -> int:
        if not self.teams:
            return self.everyone & ~SEAT_BITS[seat]
        return sum(SEAT_BITS[other] for other in range(self.seats) if (other - seat) % 2)

    def _next_rival(self, seat: int, seats: int) -> int:
        return _first_of(self.clockwise[seat], seats & self._rivals_of(seat))

    def _entitled(self, main_attacker: int, defender: int, in_play: int) -> int:
        if not self.throw_in:
            return 0
        rivals = in_play & self._rivals_of(defender)
        if not self.neighbours_only:
            return rivals
        left = _first_of(self.clockwise[defender], in_play)
        return sum(SEAT_BITS[seat] for seat in {main_attacker, left} if rivals & SEAT_BITS[seat])

    def _draw_order(self, kind: DrawOrder, first: int, defender: int) -> tuple[int, ...]:
        start = defender if kind is DrawOrder.LEADER_LEFT_OF_DEFENDER else first
        between = [seat for seat in self.clockwise[start] if seat not in (first, defender)]
        order = (first, *between, defender)
        return order[1:] if first == defender else order


def _first_of(order: tuple[int, ...], seats: int) -> int:
    return next((seat for seat in order if seats & SEAT_BITS[seat]), -1)


_UNIFORM: Final[Mapping[RedealRight, tuple[Mask, ...]]] = {
    RedealRight.NONE: (),
    RedealRight.SIX_SAME_SUIT: SUIT_MASKS,
    RedealRight.SIX_SAME_COLOUR: (RED_CARDS, BLACK_CARDS),
}


def _beaten_by(rules: RuleSet, trump: int, deck: Mask, card: Card) -> Mask:
    """Return the cards of the deck that beat `card` (rules.md, 3.2 to 3.6)."""
    if card >= RED_JOKER:
        return 0
    suit = suit_of(card)
    winners: Mask = mask_of(range(card + 1, suit * 13 + 13))
    spade_holds = rules.spades_only_by_spades and suit == SPADES
    if suit != trump and not spade_holds:
        winners |= SUIT_MASKS[trump]
    if rules.low_trump_beats_ace and suit == trump and rank_of(card) == ACE:
        trumps = SUIT_MASKS[trump] & deck
        winners |= trumps & -trumps
    if rules.jokers is Jokers.COLOUR:
        winners |= BIT[RED_JOKER] if BIT[card] & RED_CARDS else BIT[BLACK_JOKER]
    return winners & deck


@lru_cache(maxsize=1024)
def law_of(rules: RuleSet) -> Law:
    """Return the tables of a rule set, made once. The rule set must have no `problems`."""
    return Law(rules)
