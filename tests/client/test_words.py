from dataclasses import replace
from datetime import timedelta

import pytest

from durak_client import events as facts
from durak_client.cards import Card, Suit
from durak_client.cli.teller import Teller
from durak_client.cli.words import last_result_in_words, partners_of, result_in_words
from durak_client.events import BoutOutcome, Fact
from durak_client.matches import PlayerKind, Presence
from durak_client.talk import Phrase, Reaction
from durak_client.view import DealEnd, DealResult
from tests.client.tables import DEAL_OVER, DEFENCE, cards, seat

TOLD = [
    # fact                                    to Vasya                  to a spectator
    (facts.Led(0, cards("7S 7H")), "You lead 7♠ 7♥.", "Vasya leads 7♠ 7♥."),
    (facts.ThrownIn(2, cards("TD")), "Galina throws in 10♦.", "Galina throws in 10♦."),
    (
        facts.Beaten(0, Card.parse("7S"), Card.parse("9S")),
        "You beat 7♠ with 9♠.",
        "Vasya beats 7♠ with 9♠.",
    ),
    (
        facts.Transferred(2, cards("7D"), 0, 6),
        "Galina transfers to you with 7♦.",
        "Galina transfers to Vasya with 7♦.",
    ),
    (
        facts.Shown(0, Card.parse("7H"), 1, 6),
        "You show 7♥ and transfer to Boris.",
        "Vasya shows 7♥ and transfers to Boris.",
    ),
    (facts.TakeDeclared(1), "Boris gives up and takes.", "Boris gives up and takes."),
    (facts.Passed(0), "You pass.", "Vasya passes."),
    (facts.Retracted(2, Card.parse("7C")), "Galina takes back 7♣.", "Galina takes back 7♣."),
    (facts.Dumped(0, cards("8C")), "You discard 8♣.", "Vasya discards 8♣."),
    (
        facts.RedealClaimed(0, cards("6C 7C")),
        "You demand a new deal and show 6♣ 7♣.",
        "Vasya demands a new deal and shows 6♣ 7♣.",
    ),
    (
        facts.DealStarted(1, 0, 1, Suit.HEARTS, Card.parse("6H"), 18, cards("7S"), (0, 1, 2)),
        "Deal 1: hearts are trump (6♥).",
        "Deal 1: hearts are trump (6♥).",
    ),
    (facts.BoutStarted(2, 0, 6), "Galina attacks you.", "Galina attacks Vasya."),
    (facts.BoutEnded(BoutOutcome.BEATEN, ()), "The bout is beaten.", "The bout is beaten."),
    (facts.BoutEnded(BoutOutcome.TAKEN, ()), "The cards are taken.", "The cards are taken."),
    (facts.Drew(0, 2, cards("7S 8S")), "You draw 7♠ 8♠.", "Vasya draws 7♠ 8♠."),
    (facts.Drew(1, 1, ()), "Boris draws 1 card.", "Boris draws 1 card."),
    (facts.WentOut(0, 1), "You are out, place 1.", "Vasya is out, place 1."),
    (facts.Forfeited(2), "Galina is out of the deal.", "Galina is out of the deal."),
    (facts.PlayerJoined(seat(0, "Vasya")), "", "Vasya sits down."),
    (
        facts.PlayerJoined(seat(1, "Boris", PlayerKind.BOT)),
        "Boris sits down.",
        "Boris sits down.",
    ),
    (facts.PlayerLeft(2, "id-Galina"), "Galina left.", "Galina left."),
    (
        facts.PlayerLeft(0, "id-Vasya", facts.LeaveReason.REMOVED),
        "You were removed by the owner.",
        "Vasya was removed by the owner.",
    ),
    (facts.RematchOffered(0), "You want another match.", "Vasya wants another match."),
    (facts.RematchMade("m2"), "", ""),
    (facts.Said(0, "id", "Ход мой"), "You: Ход мой", "Vasya: Ход мой"),
    (facts.Said(2, "id", Phrase.WELL_PLAYED), "Galina: Well played!", "Galina: Well played!"),
    (facts.Said(2, "id", Phrase(99)), "Galina: unknown 99", "Galina: unknown 99"),
    (facts.Said(2, "id", Reaction.APPLAUSE), "Galina: (applause)", "Galina: (applause)"),
    (facts.Said(2, "id", None), "", ""),
    (facts.PresenceChanged(2, Presence.AWAY), "Galina is away.", "Galina is away."),
    (facts.PresenceChanged(2, Presence.CONNECTED), "Galina is back.", "Galina is back."),
    (facts.PresenceChanged(0, Presence.AWAY), "", "Vasya is away."),
    (facts.InviteRenewed(), "There is a new invite code.", "There is a new invite code."),
    (facts.ReadyChanged(0, is_ready=True), "You are ready.", "Vasya is ready."),
    (facts.ReadyChanged(2, is_ready=False), "Galina is not ready.", "Galina is not ready."),
    (
        facts.SeatsReleased(2),
        "The reserved seats are free for everybody.",
        "The reserved seats are free for everybody.",
    ),
    (facts.MatchStarted(), "The match starts.", "The match starts."),
    (facts.TimeRanOut(0), "You ran out of time.", "Vasya ran out of time."),
    (
        facts.MatchAbandoned(facts.AbandonReason.EXPIRED),
        "The match was abandoned: nobody played for too long.",
        "The match was abandoned: nobody played for too long.",
    ),
    (
        facts.MatchAbandoned(facts.AbandonReason.TERMINATED, "the server moves"),
        "The operator ended the match: the server moves",
        "The operator ended the match: the server moves",
    ),
    (
        facts.MatchAbandoned(facts.AbandonReason.TERMINATED),
        "The operator ended the match.",
        "The operator ended the match.",
    ),
    (
        facts.ClockCredited(2, timedelta(seconds=7.4), facts.CreditReason.RESTART),
        "Galina gets 7 s back: the server was away.",
        "Galina gets 7 s back: the server was away.",
    ),
    (facts.ClocksSet(()), "", ""),
    (facts.UnknownFact(), "", ""),
]


@pytest.mark.parametrize(("fact", "to_vasya", "to_spectator"), TOLD)
def test_an_event_is_told_to_each_viewer(fact: Fact, to_vasya: str, to_spectator: str) -> None:
    assert Teller(DEFENCE, 0).tell(fact) == to_vasya
    assert Teller(DEFENCE, None).tell(fact) == to_spectator


SIDES = [
    # teams       seats  me    on his side
    ("ALTERNATE", 4, 1, (3,)),
    ("ALTERNATE", 6, 0, (2, 4)),
    ("ALTERNATE", 4, None, ()),
    ("NONE", 4, 1, ()),
]


@pytest.mark.parametrize(("teams", "seats", "me", "partners"), SIDES)
def test_every_second_seat_is_a_partner(
    teams: str, seats: int, me: int | None, partners: tuple[int, ...]
) -> None:
    assert partners_of({"teams": teams}, seats, me) == partners


def test_who_plays_together_is_told_when_the_cards_are_dealt() -> None:
    dealt = facts.DealStarted(1, 0, 1, Suit.HEARTS, None, 18, cards("7S"), (0, 1, 2))
    told = Teller(DEFENCE, 0, partners=(2,)).tell(dealt)
    assert told == "Deal 1: hearts are trump. You play with Galina."


def test_cards_are_told_in_ascii_where_asked_for() -> None:
    plain = Teller(DEFENCE, 0, lambda card: card.code)
    assert plain.tell(facts.Led(2, cards("TS TH"))) == "Galina leads TS TH."


def test_a_deal_that_does_not_count_is_no_draw() -> None:
    for reason in (DealEnd.VOID, DealEnd.REDEAL):
        told = result_in_words(DealResult((), (), 0, reason), DEAL_OVER, 0)
        assert told == "The deal does not count; new cards are dealt."


def test_the_last_result_names_the_fool() -> None:
    assert last_result_in_words(DEAL_OVER, 0) == "Boris is the fool."
    assert last_result_in_words(DEAL_OVER, 1) == "You are the fool."
    assert last_result_in_words(DEFENCE, 0) == ""


def test_the_fool_of_a_deal_is_told_though_the_view_shows_the_next() -> None:
    ended = facts.DealEnded(DealResult((1,), (), 0, DealEnd.FOOL))
    assert Teller(DEFENCE, 0).tell(ended) == "Boris is the fool."
    assert Teller(DEFENCE, 1).tell(ended) == "You are the fool."


def test_the_score_is_told_after_several_deals() -> None:
    assert DEAL_OVER.deal
    second = replace(DEAL_OVER, deal=replace(DEAL_OVER.deal, number=2))
    finished = facts.MatchFinished((1, 3, 0))
    assert Teller(second, 0).tell(finished) == "How often the fool: You 1, Boris 3, Galina 0."
    assert Teller(DEAL_OVER, 0).tell(finished) == ""
