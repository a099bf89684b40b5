"""The bouts of a deal, gathered from its events."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from durak_client import events as facts
from durak_client.cards import Card
from durak_client.events import BoutOutcome, DealStarted, Event, Fact
from durak_client.view import DealResult


@dataclass(slots=True)
class BoutStory:
    """A bout: who attacked whom, the attack cards with their covers in the order laid, the end."""

    number: int
    leader: int
    defender: int
    covers: dict[Card, Card | None] = field(default_factory=dict)
    outcome: BoutOutcome = BoutOutcome.UNSPECIFIED

    def take_in(self, fact: Fact) -> None:
        """Note what happened in the bout."""
        match fact:
            case facts.Led(_, cards) | facts.ThrownIn(_, cards):
                self.covers.update(dict.fromkeys(cards))
            case facts.Beaten(_, target, cover):
                self.covers[target] = cover
            case facts.Transferred(_, cards, defender):
                self.covers.update(dict.fromkeys(cards))
                self.defender = defender
            case facts.Shown(_, _, defender):
                self.defender = defender
            case facts.Retracted(_, card):
                self.covers.pop(card, None)
            case facts.BoutEnded(outcome):
                self.outcome = outcome


@dataclass(slots=True)
class DealStory:
    """A deal: how it was dealt, its bouts, and its result, None if it was not played out."""

    started: DealStarted
    bouts: list[BoutStory] = field(default_factory=list)
    result: DealResult | None = None


def deal_story(events: Iterable[Event], number: int) -> DealStory | None:
    """Return the deal with that number, the last of several dealt anew; None if there is none."""
    story: DealStory | None = None
    is_here = False
    for event in events:
        match event.fact:
            case DealStarted(deal=deal):
                is_here = deal == number
                story = DealStory(event.fact) if is_here else story
            case fact if is_here and story is not None:
                _take_in(story, fact)
    return story


def _take_in(story: DealStory, fact: Fact) -> None:
    match fact:
        case facts.BoutStarted(leader, defender):
            story.bouts.append(BoutStory(len(story.bouts) + 1, leader, defender))
        case facts.DealEnded(result):
            story.result = result
        case _ if story.bouts:
            story.bouts[-1].take_in(fact)
