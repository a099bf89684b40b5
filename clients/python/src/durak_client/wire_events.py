"""From messages of the wire to the model: events and updates."""

from collections.abc import Callable, Mapping

from durak_client import events as facts
from durak_client.cards import Card, Suit
from durak_client.events import BoutOutcome, Event, Fact, ReturnedCards, UnknownFact, Update
from durak_client.matches import Presence, Preset, Spectators, Visibility
from durak_client.pb.durak.v1 import event_pb2, play_service_pb2
from durak_client.rule_options import from_rule_set
from durak_client.understanding import understood
from durak_client.wire_model import (
    card,
    cards,
    deal_result,
    match_info,
    moment,
    seat,
    span,
    speech,
    view,
)


@understood
def update(message: play_service_pb2.Update) -> Update:
    """Return what is new in a match."""
    return Update(
        match_id=message.match_id,
        sequence=message.sequence,
        events=tuple(map(event, message.events)),
        view=view(message.view) if message.HasField("view") else None,
        info=match_info(message.info) if message.HasField("info") else None,
        is_final=message.is_final,
    )


@understood
def event(message: event_pb2.Event) -> Event:
    """Return an event; one of a kind that is not known here keeps its sequence."""
    kind = message.WhichOneof("kind") or ""
    fact = _FACTS[kind](message) if kind in _FACTS else UnknownFact()
    return Event(message.sequence, moment(message.recorded_at), fact)


def _match_created(created: event_pb2.MatchCreated) -> Fact:
    return facts.MatchCreated(
        Preset(created.preset),
        from_rule_set(created.rules),
        created.owner_id,
        Visibility(created.visibility),
        Spectators(created.spectators),
        created.previous_match_id,
        created.spectator_delay_seconds,
    )


def _player_left(by: event_pb2.PlayerLeft) -> Fact:
    return facts.PlayerLeft(by.seat, by.player_id, facts.LeaveReason(by.reason))


def _deal_started(started: event_pb2.DealStarted) -> Fact:
    return facts.DealStarted(
        deal=started.deal,
        dealer=started.dealer,
        leader=started.leader,
        trump=Suit(started.trump),
        trump_card=card(started.trump_card),
        stock_size=started.stock_size,
        hand=cards(started.hand),
        seats=tuple(started.seats),
        dealt_hands=tuple(cards(dealt.cards) for dealt in started.dealt_hands),
        order=cards(started.order),
    )


def _transferred(by: event_pb2.Transferred) -> Fact:
    return facts.Transferred(by.seat, cards(by.cards), by.defender, by.limit)


def _clocks_set(by: event_pb2.ClocksSet) -> Fact:
    return facts.ClocksSet(
        tuple(
            facts.SeatClock(clock.seat, moment(clock.deadline), span(clock.bank_left))
            for clock in by.clocks
        )
    )


def _clock_credited(by: event_pb2.ClockCredited) -> Fact:
    return facts.ClockCredited(by.seat, span(by.credit), facts.CreditReason(by.reason))


def _bout_ended(ended: event_pb2.BoutEnded) -> Fact:
    returned = tuple(ReturnedCards(part.seat, cards(part.cards)) for part in ended.returned)
    return facts.BoutEnded(BoutOutcome(ended.outcome), returned)


_FACTS: Mapping[str, Callable[[event_pb2.Event], Fact]] = {
    "match_created": lambda e: _match_created(e.match_created),
    "player_joined": lambda e: facts.PlayerJoined(seat(e.player_joined.seat)),
    "player_left": lambda e: _player_left(e.player_left),
    "presence_changed": lambda e: facts.PresenceChanged(
        e.presence_changed.seat, Presence(e.presence_changed.presence)
    ),
    "invite_renewed": lambda _: facts.InviteRenewed(),
    "seats_released": lambda e: facts.SeatsReleased(e.seats_released.count),
    "ready_changed": lambda e: facts.ReadyChanged(e.ready_changed.seat, e.ready_changed.is_ready),
    "owner_changed": lambda e: facts.OwnerChanged(e.owner_changed.owner_id),
    "match_started": lambda _: facts.MatchStarted(),
    "match_finished": lambda e: facts.MatchFinished(tuple(e.match_finished.times_fool)),
    "match_abandoned": lambda e: facts.MatchAbandoned(
        facts.AbandonReason(e.match_abandoned.reason), e.match_abandoned.text
    ),
    "rematch_offered": lambda e: facts.RematchOffered(e.rematch_offered.seat),
    "rematch_made": lambda e: facts.RematchMade(e.rematch_made.match_id),
    "said": lambda e: facts.Said(e.said.seat, e.said.player_id, speech(e.said.speech)),
    "deal_committed": lambda e: facts.DealCommitted(
        e.deal_committed.shuffle, e.deal_committed.commitment
    ),
    "seed_added": lambda e: facts.SeedAdded(
        e.seed_added.shuffle, e.seed_added.seat, e.seed_added.seed
    ),
    "seed_revealed": lambda e: facts.SeedRevealed(e.seed_revealed.shuffle, e.seed_revealed.seed),
    "deal_started": lambda e: _deal_started(e.deal_started),
    "bout_started": lambda e: facts.BoutStarted(
        e.bout_started.leader, e.bout_started.defender, e.bout_started.limit
    ),
    "led": lambda e: facts.Led(e.led.seat, cards(e.led.cards)),
    "thrown_in": lambda e: facts.ThrownIn(e.thrown_in.seat, cards(e.thrown_in.cards)),
    "beaten": lambda e: facts.Beaten(
        e.beaten.seat, Card(int(e.beaten.target)), Card(int(e.beaten.cover))
    ),
    "transferred": lambda e: _transferred(e.transferred),
    "shown": lambda e: facts.Shown(
        e.shown.seat, Card(int(e.shown.card)), e.shown.defender, e.shown.limit
    ),
    "take_declared": lambda e: facts.TakeDeclared(e.take_declared.seat),
    "passed": lambda e: facts.Passed(e.passed.seat),
    "retracted": lambda e: facts.Retracted(e.retracted.seat, Card(int(e.retracted.card))),
    "dumped": lambda e: facts.Dumped(e.dumped.seat, cards(e.dumped.cards)),
    "redeal_claimed": lambda e: facts.RedealClaimed(
        e.redeal_claimed.seat, cards(e.redeal_claimed.hand)
    ),
    "bout_ended": lambda e: _bout_ended(e.bout_ended),
    "drew": lambda e: facts.Drew(e.drew.seat, e.drew.count, cards(e.drew.cards)),
    "went_out": lambda e: facts.WentOut(e.went_out.seat, e.went_out.place),
    "forfeited": lambda e: facts.Forfeited(e.forfeited.seat),
    "deal_ended": lambda e: facts.DealEnded(deal_result(e.deal_ended.result)),
    "clocks_set": lambda e: _clocks_set(e.clocks_set),
    "time_ran_out": lambda e: facts.TimeRanOut(e.time_ran_out.seat),
    "clock_credited": lambda e: _clock_credited(e.clock_credited),
}
