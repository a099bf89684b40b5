"""When a match that everybody forgot is abandoned."""

from durak_server.matches.commands import ExpireMatch
from durak_server.matches.events import AbandonReason, MatchAbandoned
from durak_server.matches.state import Match, MatchStatus


def expire(match: Match, command: ExpireMatch) -> tuple[MatchAbandoned, ...]:
    """Decide `ExpireMatch`: nothing happens if a human has acted since, or the match is over."""
    if match.status.is_over:
        return ()
    is_open = match.status is MatchStatus.OPEN
    since = command.open_since if is_open else command.playing_since
    return () if match.acted_at > since else (MatchAbandoned(AbandonReason.EXPIRED),)
