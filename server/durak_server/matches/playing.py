"""How a match is played: its moves and its deals."""

from durak_server import rules
from durak_server.matches.commands import DealCards, MakeMove, PlayOn
from durak_server.matches.events import MatchEvent
from durak_server.matches.fairness import committed_order
from durak_server.matches.finishing import finish_if_played_out
from durak_server.matches.preconditions import refuse_not_started, refuse_stale
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.state import Match


def make_move(match: Match, command: MakeMove) -> tuple[MatchEvent, ...] | MatchRefusal:
    """Decide `MakeMove`."""
    seat = match.active_seat_of(command.player_id)
    if seat is None:
        return MatchRefusal(MatchReason.NOT_SEATED)
    refusal = refuse_not_started(match) or refuse_stale(match, command.expected_sequence)
    if refusal:
        return refusal
    return _played(match, command.move, seat)


def play_on(match: Match, command: PlayOn) -> tuple[MatchEvent, ...] | MatchRefusal:
    """Decide `PlayOn`: as if the leaver had moved."""
    if match.bot_at(command.seat) is None:
        return MatchRefusal(MatchReason.NOT_SEATED)
    return refuse_not_started(match) or _played(match, command.move, command.seat)


def _played(match: Match, move: rules.Move, seat: int) -> tuple[MatchEvent, ...] | MatchRefusal:
    if match.position is None:
        return MatchRefusal(rules.Reason.DEAL_OVER)
    outcome = rules.play(match.position, move, seat)
    if isinstance(outcome, rules.Refusal):
        return MatchRefusal(outcome.reason, outcome.facts)
    _, events = outcome
    return (*events, *finish_if_played_out(match, events))


def deal_cards(match: Match, command: DealCards) -> tuple[MatchEvent, ...]:
    """Decide `DealCards`: who deals and who leads follow from the deal before (rules.md, 2.8, 2.9).

    Raises:
        ValueError: the match awaits no deal, or is bound to another order.
    """
    if not match.awaits_deal:
        raise ValueError("the match awaits no deal")
    if committed_order(match) not in (None, command.order):
        raise ValueError("the order is not the one that the match is bound to")
    dealer, leader = dealer_and_leader(match)
    seats = [seat for seat in range(match.rules.seats) if seat not in match.absent]
    _, events = rules.start_deal(match.rules, command.order, dealer, leader, seats)
    return events


def dealer_and_leader(match: Match) -> tuple[int, int | None]:
    """Return who deals next and who leads, None for the holder of the lowest trump.

    The first deal is the owner's, but that of a rematch follows from the match before; so `match`
    may be over. One dealt anew has the same dealer and leader rule as before; if the dealer is
    gone, the next clockwise deals.
    """
    if match.dealt is None and match.first_dealer is not None:
        return match.first_dealer, match.first_leader
    if match.dealt is None:
        owner = match.seat_of(match.owner_id)
        assert owner is not None, "the owner sits at the match"
        return owner, None
    dealer, result = match.dealt.dealer, match.last_result
    if result and not match.is_dealt_anew:
        leader = rules.next_leader(match.rules, result, match.absent)
        return rules.next_dealer(match.rules, result, dealer, match.absent), leader
    return _next_present(match, dealer), _leader_anew(match)


def _leader_anew(match: Match) -> int | None:
    """Return who leads a deal that is dealt anew."""
    if match.last_result:
        return rules.next_leader(match.rules, match.last_result, match.absent)
    return None if match.first_leader in match.absent else match.first_leader


def _next_present(match: Match, seat: int) -> int:
    """Return a seat if cards are still dealt to it, else the next clockwise."""
    while seat in match.absent:
        seat = (seat + 1) % len(match.seats)
    return seat
