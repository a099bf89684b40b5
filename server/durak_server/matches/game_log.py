"""A game played again: the log of a match in which it happens move by move."""

from dataclasses import fields, replace
from datetime import timedelta

from durak_server import rules
from durak_server.matches.events import (
    MatchAbandoned,
    MatchCreated,
    MatchEvent,
    MatchFinished,
    MatchStarted,
    PlayerJoined,
    PlayerLeft,
    Record,
    TimeRanOut,
    record_events,
)
from durak_server.matches.game import Game, GameDeal, Left, Step, game_of
from durak_server.matches.history import History
from durak_server.matches.state import MatchStatus, Spectators, Visibility
from durak_server.rules import OnTimeout, Position


class BrokenGame(Exception):
    """The game cannot have been played so; the text says where and why."""


def game_log(game: Game) -> tuple[Record, ...]:
    """Return a log in which the game is played; every move is judged by the rules.

    What a game does not tell (who came and went before the start, the owner, requests) is made
    up, so the log's sequences are those of the game, not of the match it was taken from.

    Raises:
        BrokenGame: a move is illegal, a deck is not one, or the game went another way.
    """
    log = _Log(game)
    log.open()
    for number, deal in enumerate(game.deals, 1):
        log.play(deal, f"deal {number}")
    log.close()
    played = game_of(History(log.records))
    for name in (field.name for field in fields(Game)):
        if getattr(played, name) != getattr(game, name):
            raise BrokenGame(f"{name.replace('_', ' ')}: not what the moves lead to")
    return tuple(log.records)


class _Log:
    """The records so far."""

    def __init__(self, game: Game) -> None:
        self.records: list[Record] = []
        self._game = game
        self._after_ms = 0
        self._gone: set[int] = set()

    def open(self) -> None:
        """Make the match, seat the players and start, if it was started."""
        game = self._game
        seated = [(seat, player) for seat, player in enumerate(game.seats) if player]
        created = MatchCreated(
            match_id=game.match_id,
            preset=game.preset,
            rules=game.rules,
            owner_id=seated[0][1].player_id if seated else "",
            visibility=Visibility.PUBLIC,
            spectators=Spectators.LIVE,
            invite_code="",
            start_when_full=False,
        )
        joined = (PlayerJoined(seat, replace(who, has_left=False)) for seat, who in seated)
        self._add(created, *joined)
        if game.deals or game.status in (MatchStatus.PLAYING, MatchStatus.FINISHED):
            self._add(MatchStarted())

    def play(self, deal: GameDeal, where: str) -> None:
        """Deal the cards and make every step."""
        try:
            position, events = rules.start_deal(
                self._game.rules, deal.order, deal.dealer, deal.leader, deal.seats
            )
        except ValueError as error:
            raise BrokenGame(f"{where}: {error}") from error
        self._add(*events)
        for number, bout in enumerate(deal.bouts, 1):
            for step in bout:
                is_void = _is_voided_by(step, deal)
                position = self._take(step, position, f"{where}, bout {number}", is_void=is_void)

    def close(self) -> None:
        """End the match, if it has ended."""
        for seat, player in enumerate(self._game.seats):
            if player and player.has_left and seat not in self._gone:
                self._add(PlayerLeft(seat, player.player_id))
        if self._game.status is MatchStatus.FINISHED:
            self._add(MatchFinished(self._game.times_fool))
        elif self._game.status is MatchStatus.ABANDONED:
            self._add(MatchAbandoned())

    def _take(self, step: Step, position: Position, where: str, *, is_void: bool) -> Position:
        """Make a step and return the position after it."""
        self._after_ms = step.after_ms
        if isinstance(step, Left):
            return self._leave(step.seat, position, where, is_void=is_void)
        outcome = rules.play(position, step.move, step.seat)
        if isinstance(outcome, rules.Refusal):
            said = f"P{step.seat} {rules.format_move(step.move)}"
            raise BrokenGame(f"{where}: {said}: {outcome.text}")
        self._add(*outcome[1])
        return outcome[0]

    def _leave(self, seat: int, position: Position, where: str, *, is_void: bool) -> Position:
        player = self._game.seats[seat] if seat < len(self._game.seats) else None
        if player is None:
            raise BrokenGame(f"{where}: nobody sits on P{seat}")
        try:
            position, events = (
                rules.void_deal(position) if is_void else rules.forfeit(position, seat)
            )
        except ValueError as error:
            raise BrokenGame(f"{where}: {error}") from error
        may_be_slow = self._game.rules.on_timeout is OnTimeout.FORFEIT and not is_void
        if self._game.rules.turn_seconds and may_be_slow:
            # A game does not tell who left from who was too slow; the deal is given up alike.
            self._add(TimeRanOut(seat), *events)
        else:
            self._gone.add(seat)
            self._add(PlayerLeft(seat, player.player_id), *events)
        return position

    def _add(self, *events: MatchEvent) -> None:
        try:
            moment = self._game.began_at + timedelta(milliseconds=self._after_ms)
        except OverflowError as error:
            raise BrokenGame("the game lasts longer than time") from error
        self.records += record_events(len(self.records), events, moment)


def _is_voided_by(step: Step, deal: GameDeal) -> bool:
    """Tell whether the deal is void because of this step: its last one."""
    is_void = deal.result is not None and deal.result.reason is rules.DealEndReason.VOID
    return is_void and deal.bouts[-1][-1:] == (step,)
