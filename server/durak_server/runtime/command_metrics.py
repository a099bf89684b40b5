"""Counts what commands led to."""

from collections.abc import Iterable

from durak_server.matches import (
    AbandonReason,
    MakeMove,
    Match,
    MatchAbandoned,
    MatchCommand,
    MatchEvent,
    MatchRefusal,
    PlayerLeft,
    PlayOn,
    RematchMade,
    RematchOffered,
    Said,
    Speech,
    TimeRanOut,
)
from durak_server.observe.metrics import PlayMetrics
from durak_server.rules import DealEnded


def count_refused(metrics: PlayMetrics, command: MatchCommand, refusal: MatchRefusal) -> None:
    """Count a refused command by its kind and the reason."""
    metrics.commands_refused.labels(type(command).__name__, refusal.reason.value).inc()


def count_accepted(
    metrics: PlayMetrics, command: MatchCommand, events: Iterable[MatchEvent], match: Match
) -> None:
    """Count a command that was stored, with what its events end: deals, turns, seats, matches."""
    if isinstance(command, MakeMove | PlayOn):
        metrics.moves_accepted.labels(command.move.kind.name).inc()
    for event in events:
        match event:
            case DealEnded():
                metrics.deals_finished.labels(match.preset.name, event.reason.name).inc()
            case PlayerLeft() if match.deal:
                metrics.players_left.inc()
            case Said():
                metrics.said.labels(_kind_of(event.speech)).inc()
            case RematchOffered():
                metrics.rematches.labels("OFFERED").inc()
            case RematchMade():
                metrics.rematches.labels("MADE").inc()
            case TimeRanOut():
                metrics.clocks_run_out.inc()
            case MatchAbandoned(AbandonReason.EXPIRED):
                metrics.matches_expired.labels("PLAYING" if match.deal else "OPEN").inc()
            case _:
                pass


def _kind_of(speech: Speech) -> str:
    if speech.phrase:
        return "PHRASE"
    return "REACTION" if speech.reaction else "TEXT"
