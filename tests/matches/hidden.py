"""Logs that differ only in what a viewer may not know."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from durak_server.matches import (
    DealCommitted,
    Dealt,
    InviteRenewed,
    MatchCreated,
    Phrase,
    Record,
    Said,
    Speech,
)
from durak_server.rules import (
    Card,
    DealStarted,
    Drew,
    apply,
    deck_cards,
    mask_of,
)


def with_other_secrets(
    record: Record, dealt: Dealt | None, seat: int | None, random: Random
) -> tuple[Record, Dealt | None]:
    """Return a record, and the deal it belongs to, with everything hidden from `seat` changed."""
    event = record.event
    if isinstance(event, MatchCreated):
        return replace(record, event=replace(event, invite_code="OTHER")), dealt
    if isinstance(event, InviteRenewed):
        return replace(record, event=InviteRenewed("OTHER", None)), dealt
    if isinstance(event, DealCommitted):
        return replace(record, event=replace(event, server_seed=random.randbytes(32))), dealt
    if isinstance(event, Said) and seat in event.kept_from:
        speech = Speech(phrase=random.choice(list(Phrase)))
        return replace(record, event=replace(event, speech=speech)), dealt
    if isinstance(event, DealStarted) and dealt:
        order = reshuffled_order(event.order, dealt, seat, random)
        other = replace(event, order=order)
        position = apply(None, other, dealt.position.law.rules)
        return replace(record, event=other), replace(dealt, position=position)
    if isinstance(event, Drew) and dealt and event.seat != seat:
        return replace(record, event=redrawn(event, dealt, random)), dealt
    return record, dealt


def reshuffled_order(
    order: Iterable[Card], dealt: Dealt, seat: int | None, random: Random
) -> tuple[Card, ...]:
    """Return a deck that deals the same to `seat`, with the same trump turned up."""
    order = list(order)
    dealt_out = 6 * sum(1 for hand in dealt.hands if hand)
    own = 0 if seat is None else dealt.hands[seat]
    trump_at = order.index(dealt.position.trump_card) if dealt.position.trump_card >= 0 else -1
    turned_up = range(dealt_out, trump_at + 1)  # jokers may come before the trump
    free = [
        index
        for index, card in enumerate(order)
        if not mask_of((card,)) & own and index != trump_at and index not in turned_up
    ]
    cards = [order[index] for index in free]
    random.shuffle(cards)
    for index, card in zip(free, cards, strict=True):
        order[index] = card
    return tuple(order)


def redrawn(event: Drew, dealt: Dealt, random: Random) -> Drew:
    """Return a draw of as many other cards; the open trump stays in it."""
    law = dealt.position.law
    trump_card = dealt.position.trump_card
    others = [card for card in deck_cards(law.rules.deck) if card != trump_card]
    cards = random.sample(others, len(event.cards))
    if trump_card in event.cards:
        cards[event.cards.index(trump_card)] = trump_card
    return Drew(event.seat, tuple(cards))
