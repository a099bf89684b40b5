"""Tables in the middle of a match, as a player sees them."""

from dataclasses import replace
from datetime import UTC, datetime

from durak_client.cards import Card, Suit
from durak_client.matches import (
    BotLevel,
    MatchInfo,
    MatchStatus,
    PlayerKind,
    Preset,
    Seat,
    Spectators,
    Visibility,
)
from durak_client.moves import LegalMove, MoveKind
from durak_client.view import Deal, DealEnd, DealResult, Phase, Place, SeatView, TablePair, View


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def seat(number: int, name: str, kind: PlayerKind = PlayerKind.HUMAN) -> Seat:
    level = BotLevel.LOWEST if kind == PlayerKind.BOT else BotLevel.UNSPECIFIED
    return Seat(number, kind, f"id-{name}", name, level, has_left=False, times_fool=0)


def seat_view(
    number: int,
    hand_size: int,
    hand: str = "",
    *,
    has_passed: bool = False,
    is_out: bool = False,
    place: int = 0,
    may_act: bool = False,
) -> SeatView:
    return SeatView(number, hand_size, cards(hand), (), has_passed, is_out, place, may_act)


def pairs(text: str, attack_seat: int) -> tuple[TablePair, ...]:
    """Read `7S/9S 7D`: an attack card and its cover, an attack card alone."""
    split = [pair.split("/") for pair in text.split()]
    return tuple(
        TablePair(Card.parse(pair[0]), Card.parse(pair[1]) if len(pair) > 1 else None, attack_seat)
        for pair in split
    )


DEFENCE = View(
    match_id="m1",
    sequence=42,
    status=MatchStatus.PLAYING,
    seat=0,
    seats=(
        seat(0, "Vasya"),
        seat(1, "Boris", PlayerKind.BOT),
        seat(2, "Galina"),
    ),
    deal=Deal(
        number=1,
        phase=Phase.DEFENCE,
        dealer=1,
        trump=Suit.HEARTS,
        trump_card=Card.parse("6H"),
        stock_size=9,
        discard_size=4,
        bout=3,
        leader=2,
        main_attacker=2,
        defender=0,
        room=4,
        table=pairs("7S/9S 9D", attack_seat=2),
        seats=(
            seat_view(0, 6, "TS QS 7H KH JD AC", may_act=True),
            seat_view(1, 5, has_passed=True),
            seat_view(2, 4, may_act=True),
        ),
        result=None,
    ),
    legal_moves=(
        LegalMove(MoveKind.BEAT, cards("7H KH JD"), Card.parse("9D"), 1, 1),
        LegalMove(MoveKind.TAKE, (), None, 0, 0),
    ),
)
"""Vasya defends against the nine of diamonds; hearts are trump."""

_dealt = DEFENCE.deal
assert _dealt is not None

LEAD = replace(
    DEFENCE,
    sequence=50,
    deal=replace(
        _dealt,
        phase=Phase.LEAD,
        bout=4,
        leader=0,
        main_attacker=0,
        defender=1,
        table=(),
        seats=(
            seat_view(0, 6, "7S QS 7H JD QD 7C", may_act=True),
            seat_view(1, 6),
            seat_view(2, 6),
        ),
    ),
    legal_moves=(
        LegalMove(MoveKind.ATTACK, cards("7S 7H 7C"), None, 1, 3),
        LegalMove(MoveKind.ATTACK, cards("QS QD"), None, 1, 2),
        LegalMove(MoveKind.ATTACK, cards("JD"), None, 1, 1),
    ),
)
"""Vasya leads and may lead several cards of one rank."""

TRANSFER = replace(
    DEFENCE,
    deal=replace(_dealt, table=pairs("7S 7D", attack_seat=2)),
    legal_moves=(
        LegalMove(MoveKind.BEAT, cards("TS QS 7H KH"), Card.parse("7S"), 1, 1),
        LegalMove(MoveKind.BEAT, cards("7H KH JD"), Card.parse("7D"), 1, 1),
        LegalMove(MoveKind.TRANSFER, cards("7H"), None, 1, 1),
        LegalMove(MoveKind.TAKE, (), None, 0, 0),
    ),
)
"""Vasya may beat either seven, and transfer with the trump seven, which beats as well."""

LONG_BOUT = replace(
    DEFENCE,
    seat=None,
    deal=replace(
        _dealt,
        phase=Phase.TAKING,
        stock_size=1,
        table=pairs("7S/9S 9D/JD JS/QS QC/KC KD/6H 6C/8C 8H", attack_seat=2),
        seats=(seat_view(0, 12), seat_view(1, 0, is_out=True, place=1), seat_view(2, 3)),
    ),
    legal_moves=(),
)
"""A spectator sees seven attack cards while Vasya takes."""

DEAL_OVER = replace(
    DEFENCE,
    status=MatchStatus.FINISHED,
    deal=replace(
        _dealt,
        phase=Phase.OVER,
        stock_size=0,
        table=(),
        seats=(
            seat_view(0, 0, is_out=True, place=1),
            seat_view(1, 3, place=3),
            seat_view(2, 0, is_out=True, place=2),
        ),
        result=DealResult(
            fools=(1,),
            places=(Place(1, (0,)), Place(2, (2,)), Place(3, (1,))),
            epaulettes=0,
            reason=DealEnd.FOOL,
        ),
    ),
    legal_moves=(),
)
"""Boris is the fool."""

LOBBY = replace(
    DEFENCE,
    sequence=2,
    status=MatchStatus.OPEN,
    seats=(
        seat(0, "Vasya"),
        seat(1, "Boris", PlayerKind.BOT),
        Seat(2, PlayerKind.UNSPECIFIED, "", "", BotLevel.UNSPECIFIED, False, 0),
    ),
    deal=None,
    legal_moves=(),
)
"""One seat of three is free."""

INFO = MatchInfo(
    match_id="m1",
    status=MatchStatus.PLAYING,
    preset=Preset.PODKIDNOY,
    rules={"seats": 3, "deck": 36},
    seats=DEFENCE.seats,
    owner_id="id-Vasya",
    visibility=Visibility.PUBLIC,
    spectators=Spectators.LIVE,
    invite_code="K7QM2A",
    sequence=42,
    created_at=datetime(2026, 11, 30, 9, 0, tzinfo=UTC),
    updated_at=datetime(2026, 11, 30, 9, 5, tzinfo=UTC),
    deal=1,
)
