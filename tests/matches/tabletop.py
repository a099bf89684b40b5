"""A table to play at in tests: commands in, records out, with a seeded deck and a clock of data."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from durak_server.matches import (
    ANYBODY,
    NO_DELAY,
    AddBot,
    AddSeed,
    Admission,
    Command,
    CommitSeed,
    CreateMatch,
    DealCards,
    EndTurns,
    History,
    HouseCommand,
    JoinMatch,
    LeaveMatch,
    MakeMove,
    Match,
    MatchEvent,
    MatchRefusal,
    MatchStatus,
    PlayOn,
    Record,
    ServerCommand,
    Spectators,
    StartMatch,
    Visibility,
    committed_order,
    decide,
    record_events,
    set_clocks,
)
from durak_server.rules import Move, Preset, RuleSet, count, deck_cards, legal_moves, pick, to_act

MATCH_ID = "match-1"
INVITE_CODE = "KLADEZ42"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Tabletop:
    """One match and everything that is done to it; players are "p0", "p1" ... by seat.

    Where it `commits`, each deal is bound to a seed beforehand, as on a server.
    """

    def __init__(self, seed: int = 0, now: datetime = NOON, *, commits: bool = False) -> None:
        self.history = History()
        self.random = Random(seed)
        self.now = now
        self._commits = commits
        self._orders: list[tuple[int, ...]] = []

    @property
    def match(self) -> Match:
        """The match as it stands."""
        assert self.history.match
        return self.history.match

    def next_deal(self, order: tuple[int, ...]) -> None:
        """Have the next deal dealt from this order; those after it are shuffled again."""
        self._orders.append(order)

    def ask(self, command: Command) -> tuple[Record, ...] | MatchRefusal:
        """Do what is asked, with what the server has to do after it, or return the refusal."""
        events = decide(self.history.match, command)
        if isinstance(events, MatchRefusal):
            return events
        self.now += timedelta(milliseconds=250)
        if isinstance(command, HouseCommand | ServerCommand):
            player_id, request_id = "", ""
        else:
            player_id, request_id = command.player_id, command.request_id
        records = list(self._record(events, player_id, request_id))
        while own := self._servers_command():
            events = decide(self.match, own)
            assert not isinstance(events, MatchRefusal)
            records += self._record(events, player_id, request_id)
        clocks = set_clocks(self.match, [record.event for record in records], self.now)
        return (*records, *self._record(clocks, player_id, request_id))

    def _servers_command(self) -> ServerCommand | None:
        if self.match.awaits_deal:
            return DealCards(committed_order(self.match) or self._next_order())
        if self._commits and self.match.awaits_commitment:
            return CommitSeed(self.random.randbytes(32))
        return None

    def _next_order(self) -> tuple[int, ...]:
        return self._orders.pop() if self._orders else self._shuffled()

    def do(self, command: Command) -> tuple[MatchEvent, ...]:
        """Do what is asked, which is not refused, and return what happened."""
        outcome = self.ask(command)
        assert not isinstance(outcome, MatchRefusal), outcome
        return tuple(record.event for record in outcome)

    def move(self, seat: int, move: Move, request_id: str = "") -> tuple[MatchEvent, ...]:
        """Make a move of a seat's player, or of the house for one who left."""
        player = self.match.seats[seat]
        assert player
        if player.has_left:
            return self.do(PlayOn(seat, move))
        return self.do(MakeMove(player.player_id, request_id, move))

    def end_turns(self, seconds: float) -> tuple[MatchEvent, ...]:
        """Let so much time pass, then end the turns whose time is over."""
        self.now += timedelta(seconds=seconds)
        return self.do(EndTurns(self.now))

    def move_at_random(self) -> tuple[MatchEvent, ...]:
        """Make any legal move of any seat that may act."""
        seat, move = self.any_move()
        return self.move(seat, move, f"r{self.history.sequence}")

    def add_seed(self, seat: int, seed: bytes) -> tuple[MatchEvent, ...]:
        """Add a seed of a seat's player to the next shuffle."""
        player, shuffle = self.match.seats[seat], self.match.next_shuffle
        assert player
        assert shuffle
        request_id = f"seed-{self.history.sequence}"
        return self.do(AddSeed(player.player_id, request_id, shuffle.commitment, seed))

    def any_move(self) -> tuple[int, Move]:
        """Return a seat that may act and one of its moves."""
        position = self.match.position
        assert position
        seat = self.random.choice(to_act(position))
        group = self.random.choice(legal_moves(position, seat))
        return seat, pick(group, self.random.randrange(count(group)))

    def moves_until_over(self, most: int = 5_000) -> Iterator[tuple[MatchEvent, ...]]:
        """Play at random until the match is over; yield what each move caused."""
        for _ in range(most):
            if self.match.status is not MatchStatus.PLAYING:
                return
            yield self.move_at_random()
        raise AssertionError("the match does not end")

    def _record(
        self, events: tuple[MatchEvent, ...], player_id: str, request_id: str
    ) -> tuple[Record, ...]:
        records = record_events(self.history.sequence, events, self.now, player_id, request_id)
        self.history.extend(records)
        return records

    def _shuffled(self) -> tuple[int, ...]:
        deck = list(deck_cards(self.match.rules.deck))
        self.random.shuffle(deck)
        return tuple(deck)


def create_command(
    rules: RuleSet,
    *,
    preset: Preset = Preset.PODKIDNOY,
    visibility: Visibility = Visibility.PUBLIC,
    spectators: Spectators = Spectators.LIVE,
    spectator_delay: timedelta = NO_DELAY,
    start_when_full: bool = False,
    admission: Admission = ANYBODY,
) -> CreateMatch:
    """Return p0's wish for a match."""
    return CreateMatch(
        player_id="p0",
        request_id="create",
        name="Player 0",
        match_id=MATCH_ID,
        invite_code=INVITE_CODE,
        preset=preset,
        rules=rules,
        visibility=visibility,
        spectators=spectators,
        spectator_delay=spectator_delay,
        start_when_full=start_when_full,
        admission=admission,
    )


def join_command(seat: int) -> JoinMatch:
    """Return the wish of "p<seat>" for that seat."""
    return JoinMatch(f"p{seat}", f"join-{seat}", f"Player {seat}", seat)


def open_table(rules: RuleSet, seed: int = 0, *, commits: bool = False) -> Tabletop:
    """Return a match with p0 on seat 0 and the other seats free."""
    table = Tabletop(seed, commits=commits)
    table.do(create_command(rules))
    return table


def full_table(rules: RuleSet, seed: int = 0, bots: int = 0, *, commits: bool = False) -> Tabletop:
    """Return a match that waits to be started, its last seats taken by bots."""
    table = open_table(rules, seed, commits=commits)
    humans = rules.seats - bots
    for seat in range(1, humans):
        table.do(join_command(seat))
    for seat in range(humans, rules.seats):
        table.do(AddBot("p0", f"bot-{seat}", f"p{seat}", "House bot", seat=seat))
    return table


def playing_table(
    rules: RuleSet, seed: int = 0, bots: int = 0, *, commits: bool = False
) -> Tabletop:
    """Return a match with its first deal dealt."""
    table = full_table(rules, seed, bots, commits=commits)
    table.do(StartMatch("p0", "start"))
    return table


def finished_table(rules: RuleSet, seed: int = 0) -> Tabletop:
    """Return a match that was played out."""
    table = playing_table(rules, seed)
    for _ in table.moves_until_over():
        pass
    return table


def abandoned_table(rules: RuleSet) -> Tabletop:
    """Return a match that everyone left before the start."""
    table = open_table(rules)
    table.do(LeaveMatch("p0", "leave"))
    return table
