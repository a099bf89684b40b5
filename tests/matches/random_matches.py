"""Matches of every kind, played at random to a random point."""

from dataclasses import replace
from random import Random

from hypothesis import strategies

from durak_server.matches import (
    AnnounceRematch,
    ExpireMatch,
    LeaveMatch,
    MatchStatus,
    NotePresence,
    Phrase,
    Presence,
    Say,
    Speech,
    WantRematch,
)
from durak_server.rules import (
    DrawOrder,
    Dump,
    Jokers,
    Leave,
    NextLeader,
    OnTimeout,
    Overthrow,
    RuleSet,
    TableTalk,
    Teams,
    ThrowInPriority,
    TransferHandCheck,
    Trump,
    problems,
)
from tests.matches.tabletop import Tabletop, playing_table

RULE_SETS = strategies.builds(
    RuleSet,
    seats=strategies.integers(2, 6),
    deck=strategies.sampled_from((24, 36, 52)),
    trump=strategies.sampled_from(Trump),
    transfer=strategies.booleans(),
    throw_in_priority=strategies.sampled_from(ThrowInPriority),
    draw_order=strategies.sampled_from(DrawOrder),
    next_leader=strategies.sampled_from(NextLeader),
    deals=strategies.integers(0, 3),
    leave=strategies.sampled_from(Leave),
).filter(lambda rules: not problems(rules))

RARE_RULE_SETS = strategies.sampled_from(
    (
        RuleSet(seats=2, deck=54, jokers=Jokers.COLOUR, transfer=True),
        RuleSet(seats=4, teams=Teams.ALTERNATE, deals=2),
        RuleSet(
            seats=6,
            teams=Teams.ALTERNATE,
            leave=Leave.RESTART_DEAL,
            table_talk=TableTalk.NO_PARTNERS,
        ),
        RuleSet(seats=3, transfer=True, transfer_many=True, transfer_show=True),
        RuleSet(seats=3, retract=True, dump=Dump.MAY, overthrow=Overthrow.RETURN_EXCESS),
        RuleSet(
            seats=5,
            deck=52,
            transfer=True,
            transfer_hand_check=TransferHandCheck.CAP_AT_HAND,
            dump=Dump.MUST,
        ),
    )
)


TIMED_RULE_SETS = strategies.builds(
    replace,
    RULE_SETS,
    turn_seconds=strategies.integers(1, 30),
    bank_seconds=strategies.integers(0, 60),
    on_timeout=strategies.sampled_from(OnTimeout),
    deals=strategies.integers(1, 2),
)


@strategies.composite
def tables(draw: strategies.DrawFn) -> Tabletop:
    """Return a match after some moves, perhaps with players who left, perhaps played out."""
    rules = draw(RULE_SETS | RARE_RULE_SETS | TIMED_RULE_SETS)
    seed = draw(strategies.integers(0, 2**32))
    bots = draw(strategies.integers(0, rules.seats - 1))
    table = playing_table(rules, seed, bots, commits=draw(strategies.booleans()))
    for _ in range(draw(strategies.integers(0, 300))):
        if table.match.status is not MatchStatus.PLAYING:
            break
        _act(table)
    if table.match.status is MatchStatus.FINISHED:
        _want_rematch(table)
    return table


def _act(table: Tabletop) -> None:
    if table.random.random() < 0.008:
        table.do(LeaveMatch(_any_sitting(table, table.random), f"r{table.history.sequence}"))
    elif table.random.random() < 0.001:
        table.do(ExpireMatch(table.now, table.now))
    elif table.random.random() < 0.02:
        _add_seed(table)
    elif table.random.random() < 0.02:
        presence = table.random.choice(list(Presence))
        table.do(NotePresence(_any_sitting(table, table.random), presence))
    elif table.random.random() < 0.03:
        speech = Speech(phrase=table.random.choice(list(Phrase)))
        sitting = _any_sitting(table, table.random)
        table.do(Say(sitting, f"r{table.history.sequence}", speech, table.now))
    elif table.match.clocks and table.random.random() < 0.1:
        table.end_turns(90)
    else:
        table.move_at_random()


def _want_rematch(table: Tabletop) -> None:
    """Let some players want another match, and have it announced if all do."""
    for player in table.match.seats:
        if player and not player.has_left and table.random.random() < 0.8:
            table.do(WantRematch(player.player_id, f"r{table.history.sequence}"))
    table.do(AnnounceRematch("next"))


def _add_seed(table: Tabletop) -> None:
    """Add a seed of a seat that has given none to the next shuffle, if there is any to be."""
    shuffle = table.match.next_shuffle
    given = dict(shuffle.seeds) if shuffle else range(len(table.match.seats))
    for seat, player in enumerate(table.match.seats):
        if seat not in given and player and not player.has_left:
            table.add_seed(seat, table.random.randbytes(8))
            return


def _any_sitting(table: Tabletop, random: Random) -> str:
    """Return any player, bot or human, who has not left."""
    return random.choice(
        [player.player_id for player in table.match.seats if player and not player.has_left]
    )
