"""Views for answers."""

from durak_server.api.wire_cards import SUITS, wire_card, wire_cards
from durak_server.api.wire_enums import DEAL_ENDS, STATUSES
from durak_server.api.wire_matches import wire_seats
from durak_server.api.wire_moves import wire_group
from durak_server.api.wire_times import wire_duration, wire_time
from durak_server.matches import MatchView
from durak_server.pb.durak.v1 import view_pb2
from durak_server.rules import DealEnded, View


def wire_view(view: MatchView) -> view_pb2.View:
    """Return a viewer's view of a match."""
    table = view.table
    return view_pb2.View(
        match_id=view.match_id,
        sequence=view.sequence,
        status=STATUSES[view.status],
        seat=view.seat,
        seats=wire_seats(view.seats, view.times_fool),
        deal=_deal(view, table) if table else None,
        legal_moves=[wire_group(group) for group in table.legal_moves] if table else (),
    )


def wire_result(result: DealEnded) -> view_pb2.DealResult:
    """Return how a deal ended. The place after two who share 1 is 3."""
    places = []
    number = 1
    for seats in result.places:
        places.append(view_pb2.Place(number=number, seats=seats))
        number += len(seats)
    return view_pb2.DealResult(
        fools=result.fools,
        places=places,
        epaulettes=result.epaulettes,
        reason=DEAL_ENDS[result.reason],
    )


def _deal(view: MatchView, table: View) -> view_pb2.DealView:
    return view_pb2.DealView(
        number=view.deal,
        phase=_phase(table),
        dealer=table.dealer,
        trump=SUITS[table.trump_suit],
        trump_card=wire_card(table.trump_card),
        stock_size=table.stock_size,
        discard_size=table.discard_size,
        bout=max(1, table.bouts if table.result else table.bouts + 1),
        leader=table.leader,
        main_attacker=table.main_attacker,
        defender=table.defender,
        room=table.room,
        table=[
            view_pb2.TablePair(
                attack=wire_card(pair.card), cover=wire_card(pair.cover), attack_seat=pair.seat
            )
            for pair in table.table
        ],
        seats=_seats(view, table),
        result=wire_result(table.result) if table.result else None,
    )


def _seats(view: MatchView, table: View) -> list[view_pb2.SeatView]:
    places = _places(table)
    own = {} if table.seat is None else {table.seat: table.hand}
    hands = dict(enumerate(view.hands)) or own
    deadlines = {clock.seat: wire_time(clock.deadline) for clock in view.clocks}
    has_clock = table.rules.turn_seconds > 0
    return [
        view_pb2.SeatView(
            seat=seat,
            hand_size=size,
            hand=wire_cards(hands.get(seat, ())),
            known_cards=wire_cards(table.known[seat]),
            has_passed=seat in table.passed,
            is_out=seat not in table.in_play,
            place=places.get(seat, 0),
            may_act=seat in table.to_act,
            deadline=deadlines.get(seat),
            bank_left=wire_duration(view.banks[seat]) if has_clock else None,
        )
        for seat, size in enumerate(table.hand_sizes)
    ]


def _places(table: View) -> dict[int, int]:
    """Return the place of every seat that has one."""
    ranking = table.result.places if table.result and table.result.places else table.out
    places: dict[int, int] = {}
    for seats in ranking:
        number = len(places) + 1
        places.update(dict.fromkeys(seats, number))
    return places


def _phase(table: View) -> view_pb2.Phase.ValueType:
    if table.result:
        return view_pb2.PHASE_OVER
    if not table.table:
        return view_pb2.PHASE_LEAD
    if table.taking:
        return view_pb2.PHASE_TAKING
    return view_pb2.PHASE_DUMP if table.dumped else view_pb2.PHASE_DEFENCE
