"""From messages of the wire to the model: cards, moves, matches and views."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from durak_client.cards import Card, Suit
from durak_client.matches import (
    BotLevel,
    MatchInfo,
    MatchStatus,
    PlayerKind,
    Presence,
    Preset,
    Seat,
    Spectators,
    Visibility,
)
from durak_client.moves import LegalMove, Move, MoveKind
from durak_client.pb.durak.v1 import card_pb2, match_pb2, move_pb2, talk_pb2, view_pb2
from durak_client.rule_options import from_rule_set
from durak_client.talk import Phrase, Reaction, Speech
from durak_client.understanding import understood
from durak_client.view import (
    Deal,
    DealEnd,
    DealResult,
    Phase,
    Place,
    SeatView,
    TablePair,
    View,
)


def card(number: int) -> Card | None:
    """Return the card, None for one that is not there or may not be known."""
    return Card(int(number)) if number else None


def cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    """Return the cards in the order of the wire."""
    return tuple(Card(int(number)) for number in numbers)


def moment(stamp: Timestamp) -> datetime:
    """Return the moment in UTC, exact to the microsecond."""
    return stamp.ToDatetime(tzinfo=UTC)


def span(duration: Duration) -> timedelta:
    """Return the span of time, exact to the microsecond."""
    return duration.ToTimedelta()


def to_duration(length: timedelta | None) -> Duration | None:
    """Return the message for a span of time, exact to the microsecond."""
    if length is None:
        return None
    duration = Duration()
    duration.FromTimedelta(length)
    return duration


def to_move(move: Move) -> move_pb2.Move:
    """Return the message for a move."""
    target = move.target.number if move.target is not None else 0
    return move_pb2.Move(
        kind=move_pb2.MoveKind.ValueType(move.kind),
        cards=[card_pb2.Card.ValueType(played.number) for played in move.cards],
        target=card_pb2.Card.ValueType(target),
    )


def legal_move(group: move_pb2.LegalMove) -> LegalMove:
    """Return a group of legal moves."""
    return LegalMove(
        MoveKind(group.kind),
        cards(group.cards),
        card(group.target),
        group.min_cards,
        group.max_cards,
    )


def speech(message: talk_pb2.Speech) -> Speech | None:
    """Return what was said, None if it is kept from the caller, or of a kind not known here."""
    match message.WhichOneof("content"):
        case "text":
            return message.text
        case "phrase":
            return Phrase(message.phrase)
        case "reaction":
            return Reaction(message.reaction)
        case _:
            return None


def to_speech(said: Speech) -> talk_pb2.Speech:
    """Return the message for something to say."""
    if isinstance(said, Phrase):
        return talk_pb2.Speech(phrase=talk_pb2.Phrase.ValueType(said))
    if isinstance(said, Reaction):
        return talk_pb2.Speech(reaction=talk_pb2.Reaction.ValueType(said))
    return talk_pb2.Speech(text=said)


def seat(message: match_pb2.Seat) -> Seat:
    """Return a seat of a match."""
    return Seat(
        seat=message.seat,
        kind=PlayerKind(message.kind),
        player_id=message.player_id,
        name=message.name,
        bot_level=BotLevel(message.bot_level),
        has_left=message.has_left,
        times_fool=message.times_fool,
        presence=Presence(message.presence),
        is_ready=message.is_ready,
    )


@understood
def match_info(info: match_pb2.MatchInfo) -> MatchInfo:
    """Return a match as listed."""
    return MatchInfo(
        match_id=info.match_id,
        status=MatchStatus(info.status),
        preset=Preset(info.preset),
        rules=from_rule_set(info.rules),
        seats=tuple(map(seat, info.seats)),
        owner_id=info.owner_id,
        visibility=Visibility(info.visibility),
        spectators=Spectators(info.spectators),
        invite_code=info.invite_code,
        sequence=info.sequence,
        created_at=moment(info.created_at),
        updated_at=moment(info.updated_at),
        deal=info.deal,
        previous_match_id=info.previous_match_id,
        next_match_id=info.next_match_id,
        has_password=info.has_password,
        spectator_delay_seconds=info.spectator_delay_seconds,
        invite_expires_at=_moment_or_none(info),
        require_ready=info.require_ready,
        reserved_seats=info.reserved_seats,
    )


def _moment_or_none(info: match_pb2.MatchInfo) -> datetime | None:
    return moment(info.invite_expires_at) if info.HasField("invite_expires_at") else None


@understood
def view(message: view_pb2.View) -> View:
    """Return a viewer's view."""
    return View(
        match_id=message.match_id,
        sequence=message.sequence,
        status=MatchStatus(message.status),
        seat=message.seat if message.HasField("seat") else None,
        seats=tuple(map(seat, message.seats)),
        deal=_deal(message.deal) if message.HasField("deal") else None,
        legal_moves=tuple(map(legal_move, message.legal_moves)),
    )


def deal_result(result: view_pb2.DealResult) -> DealResult:
    """Return how a deal ended."""
    return DealResult(
        fools=tuple(result.fools),
        places=tuple(Place(place.number, tuple(place.seats)) for place in result.places),
        epaulettes=result.epaulettes,
        reason=DealEnd(result.reason),
    )


def _deal(deal: view_pb2.DealView) -> Deal:
    return Deal(
        number=deal.number,
        phase=Phase(deal.phase),
        dealer=deal.dealer,
        trump=Suit(deal.trump),
        trump_card=card(deal.trump_card),
        stock_size=deal.stock_size,
        discard_size=deal.discard_size,
        bout=deal.bout,
        leader=deal.leader,
        main_attacker=deal.main_attacker,
        defender=deal.defender,
        room=deal.room,
        table=tuple(map(_table_pair, deal.table)),
        seats=tuple(map(_seat_view, deal.seats)),
        result=deal_result(deal.result) if deal.HasField("result") else None,
    )


def _table_pair(pair: view_pb2.TablePair) -> TablePair:
    return TablePair(Card(int(pair.attack)), card(pair.cover), pair.attack_seat)


def _seat_view(message: view_pb2.SeatView) -> SeatView:
    return SeatView(
        seat=message.seat,
        hand_size=message.hand_size,
        hand=cards(message.hand),
        known_cards=cards(message.known_cards),
        has_passed=message.has_passed,
        is_out=message.is_out,
        place=message.place,
        may_act=message.may_act,
        deadline=moment(message.deadline) if message.HasField("deadline") else None,
        bank_left=span(message.bank_left) if message.HasField("bank_left") else None,
    )
