"""How a match is played: its moves and its deals."""

from durak_server import rules
from durak_server.matches.commands import DealCards, MakeMove
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
    if match.position is None:
        return MatchRefusal(rules.Reason.DEAL_OVER)
    outcome = rules.play(match.position, command.move, seat)
    if isinstance(outcome, rules.Refusal):
        return MatchRefusal(outcome.reason, outcome.facts)
    _, events = outcome
    return (*events, *finish_if_played_out(match, events, has_leaver=match.has_leaver))


def deal_cards(match: Match, command: DealCards) -> tuple[MatchEvent, ...]:
    """Decide `DealCards`: who deals and who leads follow from the deal before (rules.md, 2.8, 2.9).

    Raises:
        ValueError: the match awaits no deal, or is bound to another order.
    """
    if not match.awaits_deal:
        raise ValueError("the match awaits no deal")
    if committed_order(match) not in (None, command.order):
        raise ValueError("the order is not the one that the match is bound to")
    dealer, leader = _dealer_and_leader(match)
    _, events = rules.start_deal(match.rules, command.order, dealer, leader)
    return events


def _dealer_and_leader(match: Match) -> tuple[int, int | None]:
    """Return who deals and who leads, None for the holder of the lowest trump.

    The first deal is the owner's. One dealt anew has the same dealer and leader rule as before.
    """
    if match.dealt is None:
        owner = match.seat_of(match.owner_id)
        assert owner is not None, "the owner sits at the match"
        return owner, None
    dealer = match.dealt.dealer
    if match.last_result is None:
        return dealer, None
    leader = rules.next_leader(match.rules, match.last_result)
    if match.is_dealt_anew:
        return dealer, leader
    return rules.next_dealer(match.rules, match.last_result, dealer), leader
