"""Fair deals are proven from the events that a viewer got, and unfair ones are found out."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings

from durak_client import events as facts
from durak_client import wire_events
from durak_client.cards import Card, Suit
from durak_client.events import Event, Fact
from durak_client.fair_table import Misfit
from durak_client.pb.durak.v1 import event_pb2
from durak_client.proofs import Breach, NotWhole, Proof, Verdict, proofs
from durak_server.api.wire_events import wire_events as on_the_wire
from durak_server.matches import LeaveMatch, MatchStatus, Openly, StartMatch, Viewer
from durak_server.rules import RuleSet
from tests.matches.random_matches import tables
from tests.matches.tabletop import MATCH_ID, Tabletop, full_table


def as_client(table: Tabletop, viewer: Viewer = None) -> list[Event]:
    """Return the events of a match as the client of a viewer has them."""
    sent = [event.SerializeToString() for event in on_the_wire(table.history.seen(0, viewer))]
    return [wire_events.event(event_pb2.Event.FromString(event)) for event in sent]


def played(rules: RuleSet, seed: int = 5) -> Tabletop:
    """Return a match that was played out, with two players' seeds in its first deal."""
    table = full_table(rules, seed, commits=True)
    table.add_seed(0, b"zero")
    table.add_seed(1, b"one")
    table.do(StartMatch("p0", ""))
    list(table.moves_until_over())
    return table


PLAYED = played(RuleSet(seats=3))
FAIR = as_client(PLAYED)


def forged(kind: type[Fact], change: Callable[[Fact], Fact], number: int = 0) -> list[Event]:
    """Return the log of a fair match with one event changed, the number-th of its kind."""
    at = [place for place, event in enumerate(FAIR) if isinstance(event.fact, kind)][number]
    return [*FAIR[:at], replace(FAIR[at], fact=change(FAIR[at].fact)), *FAIR[at + 1 :]]


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, Openly.OPEN])
def test_a_fair_deal_is_proven_to_whoever_saw_it(viewer: Viewer) -> None:
    assert proofs(MATCH_ID, as_client(PLAYED, viewer)) == (
        Proof(1, 1, Verdict.PROVEN, seats=(0, 1)),
    )


@settings(max_examples=40)
@given(tables())
def test_every_match_of_a_server_that_commits_is_proven_to_everybody(table: Tabletop) -> None:
    for viewer in (None, Openly.OPEN, *range(len(table.match.seats))):
        for proof in proofs(MATCH_ID, as_client(table, viewer)):
            assert proof.verdict is expected(table, proof)


def expected(table: Tabletop, proof: Proof) -> Verdict:
    first = table.history.records(2, 3)[0].event
    if type(first).__name__ != "DealCommitted":
        return Verdict.UNBOUND
    shuffle = table.match.shuffle
    return Verdict.SECRET if shuffle and shuffle.number == proof.shuffle else Verdict.PROVEN


def test_each_deal_of_several_is_proven() -> None:
    table = played(RuleSet(seats=2, deals=3))
    assert proofs(MATCH_ID, as_client(table)) == (
        Proof(1, 1, Verdict.PROVEN, (0, 1)),
        Proof(2, 2, Verdict.PROVEN),
        Proof(3, 3, Verdict.PROVEN),
    )


def test_the_cards_of_another_match_do_not_fit() -> None:
    (proof,) = proofs("another", FAIR)
    assert proof.verdict is Verdict.BROKEN


def seed_changed(fact: Fact) -> Fact:
    assert isinstance(fact, facts.SeedRevealed)
    return replace(fact, seed=bytes(32))


def commitment_changed(fact: Fact) -> Fact:
    assert isinstance(fact, facts.DealCommitted)
    return replace(fact, commitment=bytes(32))


def trump_changed(fact: Fact) -> Fact:
    assert isinstance(fact, facts.DealStarted)
    return replace(fact, trump=Suit(fact.trump % 4 + 1))


def stock_changed(fact: Fact) -> Fact:
    assert isinstance(fact, facts.DealStarted)
    return replace(fact, stock_size=fact.stock_size - 1)


def hand_changed(fact: Fact) -> Fact:
    assert isinstance(fact, facts.DealStarted)
    return replace(fact, hand=tuple(Card(22 + number) for number in range(6)))


def order_changed(fact: Fact) -> Fact:
    assert isinstance(fact, facts.DealStarted)
    return replace(fact, order=tuple(Card(22 + number) for number in range(36)))


def led_changed(fact: Fact) -> Fact:
    assert isinstance(fact, facts.Led)
    return replace(fact, seat=(fact.seat + 1) % 3)


def draw_changed(fact: Fact) -> Fact:
    assert isinstance(fact, facts.Drew)
    return replace(fact, cards=(Card(99),))


def target_changed(fact: Fact) -> Fact:
    assert isinstance(fact, facts.Beaten)
    return replace(fact, target=fact.cover)


FORGED: list[tuple[type[Fact], Callable[[Fact], Fact], Breach | Misfit]] = [
    (facts.SeedRevealed, seed_changed, Breach.COMMITMENT),
    (facts.DealCommitted, commitment_changed, Breach.COMMITMENT),
    (facts.DealStarted, trump_changed, Misfit.TRUMP),
    (facts.DealStarted, stock_changed, Misfit.STOCK),
    (facts.DealStarted, hand_changed, Misfit.HAND),
    (facts.DealStarted, order_changed, Misfit.ORDER),
    (facts.Led, led_changed, Misfit.PLAYED),
    (facts.Drew, draw_changed, Misfit.DRAWN),
    (facts.Beaten, target_changed, Misfit.COVERED),
]


@pytest.mark.parametrize(("kind", "change", "breach"), FORGED)
def test_what_does_not_fit_is_found_where_it_shows(
    kind: type[Fact], change: Callable[[Fact], Fact], breach: Breach | Misfit
) -> None:
    (proof,) = proofs(MATCH_ID, forged(kind, change))
    assert (proof.verdict, proof.breach) == (Verdict.BROKEN, breach)
    shows = facts.SeedRevealed if breach is Breach.COMMITMENT else kind
    assert isinstance(FAIR[proof.sequence - 1].fact, shows)


def test_a_card_in_hand_that_does_not_beat_covers_nothing() -> None:
    at = next(place for place, event in enumerate(FAIR) if isinstance(event.fact, facts.Beaten))
    beaten = FAIR[at].fact
    assert isinstance(beaten, facts.Beaten)
    deck = [Card(16 * suit + rank) for suit in range(1, 5) for rank in range(6, 15)]
    found = set()
    for card in deck:
        forged_one = replace(FAIR[at], fact=replace(beaten, cover=card))
        (proof,) = proofs(MATCH_ID, [*FAIR[:at], forged_one, *FAIR[at + 1 :]])
        if proof.sequence == FAIR[at].sequence:
            found.add(proof.breach)
    assert found == {Misfit.PLAYED, Misfit.COVERED}


def renumbered(log: Sequence[Fact]) -> list[Event]:
    return [replace(FAIR[0], sequence=number, fact=fact) for number, fact in enumerate(log, 1)]


def test_a_seed_that_a_player_did_not_send_changes_the_cards() -> None:
    others = [event.fact for event in FAIR if not isinstance(event.fact, facts.SeedAdded)]
    (proof,) = proofs(MATCH_ID, renumbered(others))
    assert proof.verdict is Verdict.BROKEN


def test_a_seed_that_is_never_shown_is_a_breach() -> None:
    others = [event.fact for event in FAIR if not isinstance(event.fact, facts.SeedRevealed)]
    ended = next(at for at, fact in enumerate(others, 1) if isinstance(fact, facts.DealEnded))
    never = (Proof(1, 1, Verdict.BROKEN, (0, 1), Breach.NEVER_SHOWN, ended),)
    assert proofs(MATCH_ID, renumbered(others)) == never
    assert proofs(MATCH_ID, renumbered(others[:ended])) == never
    (proof,) = proofs(MATCH_ID, renumbered(others[: ended - 1]))
    assert proof.verdict is Verdict.SECRET


def test_a_second_commitment_is_a_breach() -> None:
    log = [event.fact for event in FAIR]
    (proof,) = proofs(MATCH_ID, renumbered([log[0], facts.DealCommitted(1, bytes(32)), *log[1:]]))
    assert (proof.breach, proof.sequence) == (Breach.COMMITTED_TWICE, 4)


def test_a_seed_taken_after_the_deal_began_is_a_breach() -> None:
    log = [event.fact for event in FAIR]
    late = [*log[:-1], facts.SeedAdded(1, 2, b"late"), log[-1]]
    (proof,) = proofs(MATCH_ID, renumbered(late))
    assert (proof.breach, proof.sequence) == (Breach.SEED_OUT_OF_TIME, len(log))


def test_a_seed_shown_before_its_deal_is_a_breach() -> None:
    log = [event.fact for event in FAIR]
    (shown,) = [fact for fact in log if isinstance(fact, facts.SeedRevealed)]
    dealt = next(at for at, fact in enumerate(log) if isinstance(fact, facts.DealStarted))
    (proof,) = proofs(MATCH_ID, renumbered([*log[:dealt], shown, *log[dealt:]]))
    assert proof == Proof(1, 1, Verdict.BROKEN, (0, 1), Breach.SHOWN_EARLY, dealt + 1)


def test_a_deal_in_play_keeps_its_secret() -> None:
    begun = [event for event in FAIR if event.sequence <= len(FAIR) // 2]
    assert proofs(MATCH_ID, begun) == (Proof(1, 1, Verdict.SECRET, (0, 1)),)


def test_a_deal_without_a_commitment_proves_nothing() -> None:
    table = full_table(RuleSet(seats=2))
    table.do(StartMatch("p0", ""))
    table.do(LeaveMatch("p0", ""))
    assert table.match.status is MatchStatus.FINISHED
    assert proofs(MATCH_ID, as_client(table)) == (Proof(1, 1, Verdict.UNBOUND),)


@pytest.mark.parametrize("log", [[], FAIR[1:], [*FAIR[:5], *FAIR[6:]]])
def test_a_log_with_something_missing_proves_nothing(log: list[Event]) -> None:
    with pytest.raises(NotWhole):
        proofs(MATCH_ID, log)
