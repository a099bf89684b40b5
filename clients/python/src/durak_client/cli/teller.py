"""Events told in English; a part of `words`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from durak_client import events as facts
from durak_client.cards import Card
from durak_client.cli.talk_words import speech_in_words
from durak_client.cli.words import (
    SUITS,
    abandoned_in_words,
    cards_in_words,
    result_in_words,
    score_in_words,
)
from durak_client.events import BoutOutcome, Fact
from durak_client.matches import Presence
from durak_client.view import View


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells events to the player on seat `me`, None for a spectator; `show` writes a card.

    He plays on one side with those on the seats `partners`.
    """

    view: View
    me: int | None
    show: Callable[[Card], str] = str
    partners: tuple[int, ...] = ()

    def tell(self, fact: Fact) -> str:
        """Return the event as one sentence, empty for what the table shows anyway."""
        match fact:
            case facts.Led(seat, cards):
                return self._said(seat, "lead", "leads", self._cards(cards))
            case facts.ThrownIn(seat, cards):
                return self._said(seat, "throw in", "throws in", self._cards(cards))
            case facts.Passed(seat):
                return self._said(seat, "pass", "passes")
            case facts.Retracted(seat, card):
                return self._said(seat, "take back", "takes back", self.show(card))
            case facts.Dumped(seat, cards):
                return self._said(seat, "discard", "discards", self._cards(cards))
            case facts.RedealClaimed(seat, hand):
                rest = f"a new deal and {'show' if seat == self.me else 'shows'} "
                return self._said(seat, "demand", "demands", rest + self._cards(hand))
            case _:
                return self._tell_defence(fact)

    def _tell_defence(self, fact: Fact) -> str:
        """Tell a move of the defender."""
        match fact:
            case facts.Beaten(seat, target, cover):
                cards_said = f"{self.show(target)} with {self.show(cover)}"
                return self._said(seat, "beat", "beats", cards_said)
            case facts.Transferred(seat, cards, defender):
                rest = f"to {self._whom(defender)} with {self._cards(cards)}"
                return self._said(seat, "transfer", "transfers", rest)
            case facts.Shown(seat, card, defender):
                verb = "transfer" if seat == self.me else "transfers"
                rest = f"{self.show(card)} and {verb} to {self._whom(defender)}"
                return self._said(seat, "show", "shows", rest)
            case facts.TakeDeclared(seat):
                return self._said(seat, "give up and take", "gives up and takes")
            case _:
                return self._tell_course(fact)

    def _tell_course(self, fact: Fact) -> str:
        """Tell what follows from moves rather than being one."""
        match fact:
            case facts.DealStarted(deal=number, trump=trump, trump_card=card):
                turned = f" ({self.show(card)})" if card is not None else ""
                names = " and ".join(map(self.view.name_of, self.partners))
                side = f" You play with {names}." if names else ""
                return f"Deal {number}: {SUITS.get(trump, trump.word)} are trump{turned}.{side}"
            case facts.BoutStarted(leader, defender):
                return self._said(leader, "attack", "attacks", self._whom(defender))
            case facts.BoutEnded(BoutOutcome.BEATEN):
                return "The bout is beaten."
            case facts.BoutEnded(BoutOutcome.TAKEN):
                return "The cards are taken."
            case facts.BoutEnded(BoutOutcome.VOID):
                return "The bout is void; its cards go back."
            case facts.Drew(seat, count, cards):
                drawn = self._cards(cards) if cards else f"{count} card{'s' * (count != 1)}"
                return self._said(seat, "draw", "draws", drawn)
            case facts.WentOut(seat, place):
                return self._said(seat, "are", "is", f"out, place {place}")
            case facts.Forfeited(seat):
                return self._said(seat, "are", "is", "out of the deal")
            case _:
                return self._tell_match(fact)

    def _tell_match(self, fact: Fact) -> str:
        """Tell how the match goes."""
        match fact:
            case facts.MatchStarted():
                return "The match starts."
            case facts.DealEnded(result):
                return result_in_words(result, self.view, self.me)
            case facts.MatchFinished(times_fool):
                return score_in_words(times_fool, self.view, self.me)
            case facts.Said(seat, _, speech) if speech is not None:
                who = "You" if seat == self.me else self.view.name_of(seat)
                return f"{who}: {speech_in_words(speech)}"
            case facts.RematchOffered(seat):
                return self._said(seat, "want", "wants", "another match")
            case facts.MatchAbandoned():
                return abandoned_in_words(fact)
            case _:
                return self._tell_seats(fact)

    def _tell_seats(self, fact: Fact) -> str:
        """Tell who comes and who goes."""
        match fact:
            case facts.PlayerJoined(seat) if seat.seat == self.me:
                return ""
            case facts.PlayerJoined(seat):
                return f"{seat.name} sits down."
            case facts.PlayerLeft(seat, _, facts.LeaveReason.REMOVED):
                return self._said(seat, "were", "was", "removed by the owner")
            case facts.PlayerLeft(seat):
                return self._said(seat, "left", "left")
            case facts.ReadyChanged(seat, is_ready):
                return self._said(seat, "are", "is", "ready" if is_ready else "not ready")
            case facts.SeatsReleased():
                return "The reserved seats are free for everybody."
            case facts.InviteRenewed():
                return "There is a new invite code."
            case _:
                return self._tell_time(fact)

    def _tell_time(self, fact: Fact) -> str:
        """Tell who is away, and whose time is over or given back."""
        match fact:
            case facts.PresenceChanged(seat, presence) if seat != self.me:
                state = "away" if presence == Presence.AWAY else "back"
                return f"{self.view.name_of(seat)} is {state}."
            case facts.TimeRanOut(seat):
                return self._said(seat, "ran out of time", "ran out of time")
            case facts.ClockCredited(seat, credit):
                seconds = round(credit.total_seconds())
                return self._said(seat, "get", "gets", f"{seconds} s back: the server was away")
            case _:
                return ""

    def _cards(self, cards: Iterable[Card]) -> str:
        return cards_in_words(cards, self.show)

    def _whom(self, seat: int) -> str:
        return "you" if seat == self.me else self.view.name_of(seat)

    def _said(self, seat: int, mine: str, others: str, rest: str = "") -> str:
        who, verb = ("You", mine) if seat == self.me else (self.view.name_of(seat), others)
        return f"{who} {verb} {rest}".rstrip() + "."
