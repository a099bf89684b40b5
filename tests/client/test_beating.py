"""The client knows which card beats which as the rules do."""

from itertools import product

import pytest

from durak_client.beating import beats
from durak_client.cards import Card, Suit
from durak_client.matches import Option
from durak_server.api.wire_cards import wire_card
from durak_server.rules import Jokers, RuleSet, mask_of
from durak_server.rules.law import law_of


@pytest.mark.parametrize("deck", [24, 36, 52, 54])
@pytest.mark.parametrize("low_beats_ace", [False, True])
@pytest.mark.parametrize("spades_only", [False, True])
def test_a_card_beats_what_the_rules_say(
    deck: int, *, low_beats_ace: bool, spades_only: bool
) -> None:
    law = law_of(
        RuleSet(
            deck=deck,
            jokers=Jokers.COLOUR if deck == 54 else Jokers.NONE,
            low_trump_beats_ace=low_beats_ace,
            spades_only_by_spades=spades_only,
        )
    )
    options: dict[str, Option] = {
        "deck": deck,
        "low_trump_beats_ace": low_beats_ace,
        "spades_only_by_spades": spades_only,
    }
    cards = [(card, Card(wire_card(card))) for card in law.deck]
    for trump, ((target, its), (cover, laid)) in product(range(4), product(cards, cards)):
        told = beats(laid, its, Suit(trump + 1), options)
        assert told == bool(law.beaten_by[trump][target] & mask_of([cover]))
