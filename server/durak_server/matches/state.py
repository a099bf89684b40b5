"""A match: a table with fixed rules, its seats, and the deals played at it."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from durak_server.matches.admission import ANYBODY, Admission
from durak_server.matches.changed import changed
from durak_server.matches.player import BotLevel, Player, PlayerKind
from durak_server.matches.shuffle import Shuffle
from durak_server.rules import (
    DealEnded,
    DealEndReason,
    Leave,
    Mask,
    Position,
    Preset,
    RedealRight,
    RuleSet,
    Teams,
)

_DEALT_ANEW: Final = (DealEndReason.REDEAL, DealEndReason.VOID)


class MatchStatus(StrEnum):
    """Where a match stands in its life."""

    OPEN = "OPEN"
    PLAYING = "PLAYING"
    FINISHED = "FINISHED"
    ABANDONED = "ABANDONED"

    @property
    def is_over(self) -> bool:
        """Whether nobody plays any more; talk and a rematch may follow."""
        return self in (MatchStatus.FINISHED, MatchStatus.ABANDONED)


class Visibility(StrEnum):
    """Whether the lobby lists a match; an unlisted one is joined by its invite code only."""

    PUBLIC = "PUBLIC"
    UNLISTED = "UNLISTED"


class Spectators(StrEnum):
    """Who may follow a match without a seat."""

    NONE = "NONE"
    LIVE = "LIVE"
    DELAYED = "DELAYED"


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a deal began with; it stays the same until the next deal. Hands are secret.

    Dealing anew what did not count does not change the deal's number.
    """

    number: int
    dealer: int
    leader: int
    position: Position
    """The deal before anybody moved or drew."""

    @property
    def hands(self) -> tuple[Mask, ...]:
        """The hands as dealt, by seat."""
        return tuple(self.position.hands)


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The running clock of a seat that must act.

    `bank_left` is what the seat had of its reserve when its turn began; the deadline counts it in.
    """

    seat: int
    deadline: datetime
    bank_left: timedelta

    def bank_at(self, moment: datetime) -> timedelta:
        """Return what is left of the reserve if the turn ends at a moment."""
        return min(self.bank_left, max(self.deadline - moment, timedelta(0)))


@dataclass(frozen=True)  # without slots, for `changed`
class Match:
    """The state of a match: the fold of its records, and nothing else.

    It does not grow with the log: what does (the records, the ids of past requests) is kept
    beside it, in `History`. Seats of the deal are seats of the match.
    """

    match_id: str
    preset: Preset
    rules: RuleSet
    owner_id: str
    visibility: Visibility
    spectators: Spectators
    invite_code: str
    start_when_full: bool
    status: MatchStatus
    seats: tuple[Player | None, ...]
    sequence: int
    """The number of the last event, 1 or more."""
    last_deed: int
    """The number of the last event besides talk."""
    created_at: datetime
    updated_at: datetime
    acted_at: datetime
    """When a human who has not left last did something here."""
    timeouts_in_a_row: int = 0
    """The turns that ran out since the deal in which that was, whoever's they were."""
    deals_in_a_row: int = 0
    """The deals that ended since then."""
    removed: frozenset[str] = frozenset()
    """The humans whom the owner removed, and who have not come back."""
    shut_out: frozenset[str] = frozenset()
    """Those of them who were removed after the invite code was made."""
    invite_expires_at: datetime | None = None
    """When the invite code is taken no more; None: never."""
    dealt: Dealt | None = None
    """The deal being played or played last; None before the first."""
    position: Position | None = None
    times_fool: tuple[int, ...] = ()
    deals_played: int = 0
    """Deals that counted: all that ended, save those dealt anew after a claim."""
    last_result: DealEnded | None = None
    """How the last deal that counted ended."""
    shuffles: int = 0
    """Decks dealt so far, those of deals dealt anew included."""
    shuffle: Shuffle | None = None
    """What the deal being played was shuffled from, until that is revealed."""
    next_shuffle: Shuffle | None = None
    """What the next deck will be shuffled from, so far; None if nothing is committed."""
    clocks: tuple[SeatClock, ...] = ()
    """Whose time runs, in the order of the seats."""
    credited: tuple[tuple[int, datetime], ...] = ()
    """The seats that were given time back in the turn that runs, and when they last were."""
    banks: tuple[timedelta, ...] = ()
    """What each seat has left of its reserve, as of when its clock last stopped."""

    spectator_delay: timedelta = timedelta(0)
    """How long after the players DELAYED spectators see what happens."""
    previous_match_id: str = ""
    """The match of which this is the rematch; empty for none."""
    first_dealer: int | None = None
    first_leader: int | None = None
    admission: Admission = ANYBODY
    rematch_wanted_by: tuple[int, ...] = ()
    """The seats whose players want another match, in the order in which they said so."""
    next_match_id: str = ""
    """The rematch of this one; empty if there is none."""
    ended_at: datetime | None = None
    """When the match was over; None before."""

    @property
    def awaits_rematch(self) -> bool:
        """Whether every human who has not left wants a rematch that is not made yet."""
        if self.next_match_id or not self.rematch_wanted_by:
            return False
        return all(
            seat in self.rematch_wanted_by
            for seat, player in enumerate(self.seats)
            if player and player.kind is PlayerKind.HUMAN and not player.has_left
        )

    @property
    def deal(self) -> int:
        """The number of the deal being played or played last; 0 before the first."""
        return self.dealt.number if self.dealt else 0

    @property
    def awaits_deal(self) -> bool:
        """Whether the next event has to be a new deal."""
        if self.status is not MatchStatus.PLAYING:
            return False
        return self.position is None or self.position.result is not None

    @property
    def awaits_commitment(self) -> bool:
        """Whether the server has to bind itself to a seed, as one more deal may come."""
        if self.status.is_over or self.next_shuffle:
            return False
        return not self.shuffles or _may_deal_again(self.rules)

    @property
    def is_dealt_anew(self) -> bool:
        """Whether the last deal did not count: a player claimed a new one, or left it."""
        result = self.position.result if self.position else None
        return result is not None and not self.counts(result)

    @property
    def has_leaver(self) -> bool:
        """Whether a player left during the play."""
        return bool(self._leavers)

    @property
    def ends_with_deal(self) -> bool:
        """Whether no deal follows the one that is played because somebody left (rules.md, 8.7)."""
        if not self.has_leaver or self.rules.leave is Leave.BOT:
            return False
        if self.rules.leave is Leave.FORFEIT or self.rules.teams is not Teams.NONE:
            return True
        return len(self.seats) - len(self.absent) < 2

    @property
    def absent(self) -> tuple[int, ...]:
        """The seats to which no more cards are dealt; the house plays on for a leaver under BOT."""
        return () if self.rules.leave is Leave.BOT else self._leavers

    @property
    def _leavers(self) -> tuple[int, ...]:
        return tuple(n for n, player in enumerate(self.seats) if player and player.has_left)

    def bot_at(self, seat: int) -> BotLevel | None:
        """Return how the house plays on a seat; None if it does not (rules.md, 8.7)."""
        player = self.seats[seat]
        if player is None:
            return None
        plays_on = player.has_left and self.rules.leave is Leave.BOT
        return player.bot_level or (BotLevel.LOWEST if plays_on else None)

    def with_player(self, seat: int, player: Player | None) -> "Match":
        """Return the match with somebody else, or nobody, on a seat."""
        return changed(self, seats=(*self.seats[:seat], player, *self.seats[seat + 1 :]))

    def with_newcomer(self, seat: int, player: Player) -> "Match":
        """Return the match with somebody on a seat; who had been removed was invited again."""
        seated = self.with_player(seat, player)
        gone = {player.player_id}
        return changed(seated, removed=self.removed - gone, shut_out=self.shut_out - gone)

    def without_way_back_for(self, player_id: str) -> "Match":
        """Return the match after a player was removed; no seat is kept for him any more."""
        gone = {player_id}
        names = tuple(name for name in self.admission.reserved_for if name != player_id)
        return changed(
            self,
            removed=self.removed | gone,
            shut_out=self.shut_out | gone,
            admission=replace(self.admission, reserved_for=names),
        )

    def without_player(self, seat: int) -> "Match":
        """Return the match after a seat's player left: it is free, or marked once they play."""
        player = self.seats[seat]
        stays = player is not None and self.status is not MatchStatus.OPEN
        return self.with_player(seat, replace(player, has_left=True) if player and stays else None)

    def seat_of(self, player_id: str) -> int | None:
        """Return the seat of a player, also of one who left during the play, or None."""
        for seat, player in enumerate(self.seats):
            if player and player.player_id == player_id:
                return seat
        return None

    def active_seat_of(self, player_id: str) -> int | None:
        """Return the seat of a player who has not left, or None."""
        seat = self.seat_of(player_id)
        player = None if seat is None else self.seats[seat]
        return None if player is None or player.has_left else seat

    def counts(self, result: DealEnded) -> bool:
        """Return whether a deal with this result counts; one to be dealt anew does not.

        Where no deal follows nothing is dealt anew: the claim ends the match.
        """
        return self.ends_with_deal or result.reason not in _DEALT_ANEW

    def times_fool_after(self, result: DealEnded) -> tuple[int, ...]:
        """Return how often each seat was the fool, with one more deal counted."""
        return tuple(times + (seat in result.fools) for seat, times in enumerate(self.times_fool))


def _may_deal_again(rules: RuleSet) -> bool:
    """Return whether a match of these rules may see a second deck."""
    is_last_for_sure = rules.deals == 1 and rules.redeal_right is RedealRight.NONE
    return not is_last_for_sure or rules.leave is Leave.RESTART_DEAL
