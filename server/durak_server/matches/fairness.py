"""How a deal is made provable: the server's seed bound before, shown after (docs/fair-deals.md)."""

from durak_server import rules
from durak_server.matches.commands import AddSeed, CommitSeed
from durak_server.matches.events import (
    DealCommitted,
    MatchAbandoned,
    MatchEvent,
    MatchFinished,
    SeedAdded,
    SeedRevealed,
)
from durak_server.matches.preconditions import refuse_over
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.shuffle import SERVER_SEED_BYTES, commitment_to, shuffled
from durak_server.matches.state import Match
from durak_server.rules import Card


def commit_seed(match: Match, command: CommitSeed) -> tuple[MatchEvent, ...]:
    """Decide `CommitSeed`.

    Raises:
        ValueError: the match awaits no commitment, or the seed has not 32 bytes.
    """
    if not match.awaits_commitment:
        raise ValueError("the match awaits no commitment")
    if len(command.server_seed) != SERVER_SEED_BYTES:
        raise ValueError(f"a server's seed has {SERVER_SEED_BYTES} bytes")
    seed = command.server_seed
    return (DealCommitted(match.shuffles + 1, commitment_to(seed), seed),)


def add_seed(match: Match, command: AddSeed) -> tuple[MatchEvent, ...] | MatchRefusal:
    """Decide `AddSeed`: one seed for each seat and shuffle, which stays as it is."""
    seat = match.active_seat_of(command.player_id)
    if seat is None:
        return MatchRefusal(MatchReason.NOT_SEATED)
    refusal = refuse_over(match)
    if refusal:
        return refusal
    shuffle = match.next_shuffle
    if shuffle is None or shuffle.commitment != command.commitment:
        return MatchRefusal(MatchReason.SEEDS_CLOSED)
    if seat in dict(shuffle.seeds):
        return MatchRefusal(MatchReason.SEED_GIVEN)
    return (SeedAdded(shuffle.number, seat, command.seed),)


def committed_order(match: Match) -> tuple[Card, ...] | None:
    """Return the deck that the next deal must have; None if the match is bound to none.

    Only a match begun by a server that did not commit to its deals yet is bound to none.
    """
    if match.next_shuffle is None:
        return None
    return shuffled(match.rules.deck, match.match_id, match.next_shuffle)


def with_seed_revealed(match: Match, events: tuple[MatchEvent, ...]) -> tuple[MatchEvent, ...]:
    """Return the events of a command with the seed of a deal shown as soon as they end it.

    That is after `DealEnded`; where a deal is given up without one, before what replaces it.
    """
    if match.shuffle is None:
        return events
    revealed = SeedRevealed(match.shuffle.number, match.shuffle.server_seed)
    for index, event in enumerate(events):
        if isinstance(event, rules.DealEnded):
            return (*events[: index + 1], revealed, *events[index + 1 :])
        if isinstance(event, MatchFinished | MatchAbandoned | rules.DealStarted):
            return (*events[:index], revealed, *events[index:])
    return events
