"""Who may say what at the table, and who hears it (rules.md, 11)."""

from durak_server.matches.commands import Say
from durak_server.matches.events import Said
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.state import Match, MatchStatus
from durak_server.rules import TableTalk, Teams


def say(match: Match, command: Say) -> tuple[Said, ...] | MatchRefusal:
    """Decide `Say`."""
    seat = match.active_seat_of(command.player_id)
    if seat is None:
        return MatchRefusal(MatchReason.NOT_SEATED)
    refusal = _refuse_dispersed(match, command) or _refuse_unwanted(match, command)
    if refusal:
        return refusal
    return (Said(seat, command.player_id, command.speech, _kept_from(match, seat)),)


def _refuse_dispersed(match: Match, command: Say) -> MatchRefusal | None:
    """Refuse a match at which nobody waits for a rematch any more."""
    if match.ended_at is None:
        return None
    is_gathered = match.status is MatchStatus.FINISHED and not match.next_match_id
    if is_gathered and match.ended_at > command.ended_since:
        return None
    return MatchRefusal(MatchReason.MATCH_OVER)


def _refuse_unwanted(match: Match, command: Say) -> MatchRefusal | None:
    """Refuse what the rule set does not want to be said."""
    talk = match.rules.table_talk
    if talk is TableTalk.OFF:
        return MatchRefusal(MatchReason.TALK_FORBIDDEN)
    if talk is TableTalk.PHRASES and command.speech.text:
        return MatchRefusal(MatchReason.PHRASES_ONLY)
    return None


def _kept_from(match: Match, seat: int) -> tuple[int, ...]:
    """Return the seats that must not hear what is said now: a speaker's partners, in a deal."""
    rules = match.rules
    is_apart = rules.table_talk is TableTalk.NO_PARTNERS and rules.teams is Teams.ALTERNATE
    if not is_apart or match.status is not MatchStatus.PLAYING:
        return ()
    return tuple(other for other in range(seat % 2, rules.seats, 2) if other != seat)
