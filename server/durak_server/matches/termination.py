"""When a match ends because the operator wants it."""

from durak_server.matches.commands import TerminateMatch
from durak_server.matches.events import AbandonReason, MatchAbandoned
from durak_server.matches.preconditions import refuse_over
from durak_server.matches.refusals import MatchRefusal
from durak_server.matches.state import Match


def terminate(match: Match, command: TerminateMatch) -> tuple[MatchAbandoned, ...] | MatchRefusal:
    """Decide `TerminateMatch`; a match that is over stays as it is."""
    refusal = refuse_over(match)
    return refusal or (MatchAbandoned(AbandonReason.TERMINATED, command.text),)
