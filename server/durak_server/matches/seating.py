"""How a match is made and filled."""

from durak_server import rules
from durak_server.matches.commands import AddBot, CreateMatch, JoinMatch
from durak_server.matches.events import (
    MatchCreated,
    MatchEvent,
    MatchStarted,
    PlayerJoined,
    SeedAdded,
)
from durak_server.matches.player import Player, PlayerKind
from durak_server.matches.preconditions import (
    refuse_over,
    refuse_started,
    refuse_to_arrange,
)
from durak_server.matches.readiness import starts_by_itself
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.reservations import (
    may_sit_down,
    reservation_problems,
    reserved_seats,
)
from durak_server.matches.state import Match, Visibility

Decision = tuple[MatchEvent, ...] | MatchRefusal


def create(match: Match | None, command: CreateMatch) -> Decision:
    """Decide `CreateMatch`; a rule set that cannot be played is refused by field."""
    if match is not None:
        return MatchRefusal(MatchReason.MATCH_EXISTS)
    if command.admission.password and command.visibility is not Visibility.PUBLIC:
        problem = "is for public matches; others are joined by their invite code"
        return MatchRefusal(MatchReason.INVALID_FIELD, (("password", problem),))
    facts = [(f"rules.{problem.field}", problem.text) for problem in rules.problems(command.rules)]
    facts += reservation_problems(command.admission, command.player_id, command.rules.seats)
    if facts:
        return MatchRefusal(MatchReason.INVALID_FIELD, tuple(facts))
    created = MatchCreated(
        match_id=command.match_id,
        preset=command.preset,
        rules=command.rules,
        owner_id=command.player_id,
        visibility=command.visibility,
        spectators=command.spectators,
        invite_code=command.invite_code,
        start_when_full=command.start_when_full,
        admission=command.admission,
        spectator_delay=command.spectator_delay,
    )
    return created, PlayerJoined(0, Player(command.player_id, command.name))


def join(match: Match, command: JoinMatch) -> Decision:
    """Decide `JoinMatch`; for who sits at the match already it succeeds and nothing happens."""
    seat = match.seat_of(command.player_id)
    player = None if seat is None else match.seats[seat]
    refusal = (None if player else _refuse_unwelcome(match, command)) or refuse_over(match)
    if refusal:
        return refusal
    if player:
        return MatchRefusal(MatchReason.PLAYER_LEFT) if player.has_left else ()
    return refuse_started(match) or _sit_down(
        match, command.seat, _newcomer(match, command), command.seed
    )


def add_bot(match: Match, command: AddBot) -> Decision:
    """Decide `AddBot`."""
    refusal = refuse_to_arrange(match, command.player_id, command.expected_sequence)
    bot = Player(command.bot_id, command.name, PlayerKind.BOT, command.level)
    return refusal or _sit_down(match, command.seat, bot)


def _newcomer(match: Match, command: JoinMatch) -> Player:
    admission = match.admission
    is_named = command.player_id in admission.reserved_for
    by_code = bool(command.invite_code and admission.reserved_for_code) and not is_named
    return Player(command.player_id, command.name, is_invited=by_code)


def _refuse_unwelcome(match: Match, command: JoinMatch) -> MatchRefusal | None:
    """Refuse who was removed, who may not find the match, and who has not its password."""
    if command.invite_code:
        return _refuse_invite(match, command)
    if command.player_id in match.removed:
        return MatchRefusal(MatchReason.PLAYER_REMOVED)
    if command.player_id in match.admission.reserved_for:
        return None
    if match.visibility is not Visibility.PUBLIC:
        return MatchRefusal(MatchReason.MATCH_NOT_FOUND)
    password = match.admission.password
    if password and not password.is_made_by(command.password_key):
        return MatchRefusal(MatchReason.PASSWORD_WRONG)
    return None


def _refuse_invite(match: Match, command: JoinMatch) -> MatchRefusal | None:
    """Refuse a wrong code as if there were no match, and a right one that is not taken now."""
    if command.invite_code.upper() != match.invite_code.upper():
        return MatchRefusal(MatchReason.MATCH_NOT_FOUND)
    if command.player_id in match.shut_out:
        return MatchRefusal(MatchReason.PLAYER_REMOVED)
    expires_at = match.invite_expires_at
    if expires_at and not (command.at and command.at < expires_at):
        return MatchRefusal(MatchReason.INVITE_EXPIRED)
    return None


def _sit_down(match: Match, wanted: int | None, player: Player, seed: bytes = b"") -> Decision:
    """Seat a player on the wanted seat or the first free one; the last may start the match."""
    if None not in match.seats:
        return MatchRefusal(MatchReason.MATCH_FULL)
    if not may_sit_down(match.admission, match.seats, player):
        kept = reserved_seats(match.admission, match.seats)
        return MatchRefusal(MatchReason.MATCH_FULL, (("reserved", str(kept)),))
    seat = match.seats.index(None) if wanted is None else wanted
    if not 0 <= seat < len(match.seats):
        problem = f"must be 0 to {len(match.seats) - 1}"
        return MatchRefusal(MatchReason.INVALID_FIELD, (("seat", problem),))
    if match.seats[seat] is not None:
        return MatchRefusal(MatchReason.SEAT_TAKEN, (("seat", str(seat)),))
    joined: tuple[MatchEvent, ...] = (PlayerJoined(seat, player),)
    if seed and match.next_shuffle:
        joined = (*joined, SeedAdded(match.next_shuffle.number, seat, seed))
    starts = starts_by_itself(match.with_newcomer(seat, player))
    return (*joined, MatchStarted()) if starts else joined
