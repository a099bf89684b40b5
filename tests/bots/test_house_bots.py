"""House bots at real matches: they come to the end, through the same door as players."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from durak_server.bots import HouseBots, Pace
from durak_server.matches import (
    AddBot,
    BotLevel,
    CreateMatch,
    JoinMatch,
    LeaveMatch,
    Match,
    MatchStatus,
)
from durak_server.observe.metrics import Metrics
from durak_server.rules import (
    AttackCap,
    Dump,
    Preset,
    RuleSet,
    Teams,
    ThrowIn,
    ThrowInPriority,
    ThrowInTiming,
    preset,
    to_act,
)
from durak_server.runtime import LiveMatch, LiveMatches, LogLost, Surroundings
from durak_server.store import EventStore, MemoryStore
from tests.runtime.faulty_stores import FullStore, TornStore
from tests.runtime.tables import done, next_move

AT_ONCE = Pace(0, 0, 0)


@asynccontextmanager
async def house(
    store: EventStore,
    pace: Pace = AT_ONCE,
    metrics: Metrics | None = None,
    dice: Random | None = None,
) -> AsyncIterator[LiveMatches]:
    """Matches with bots that play."""
    metrics = metrics or Metrics("test")
    bots = HouseBots(pace, metrics.play, dice or Random(7))
    live = LiveMatches(Surroundings(store, metrics), bots.attend)
    try:
        yield live
    finally:
        await bots.close()
        await live.close()


async def against_bots(live: LiveMatches, rules: RuleSet) -> LiveMatch:
    """A match of "a" against bots on all other seats, of both kinds, dealt."""
    await live.submit(
        "m",
        CreateMatch("a", "", "A", "m", "CODE", Preset.PODKIDNOY, rules, start_when_full=True),
    )
    for seat in range(1, rules.seats):
        level = list(BotLevel)[seat % 2]
        done(await live.submit("m", AddBot("a", "", f"bot-{seat}", f"Bot {seat}", level)))
    return await live.find("m")


def turn_of_a(match: Match) -> bool:
    """Whether the human may act."""
    return match.position is not None and 0 in to_act(match.position)


async def play_out(match: LiveMatch) -> Match:
    """Let "a" make first moves and the bots theirs until the match is over."""
    with match.watch(match.match.sequence, "") as watcher:
        while not match.match.status.is_over:
            watcher.advance()
            if turn_of_a(match.match):
                await match.submit(next_move(match.match))
            else:
                await watcher.wait(60)
    return match.match


TABLES = [
    preset(Preset.PODKIDNOY, seats=2),
    preset(Preset.PODKIDNOY, seats=6),
    preset(
        Preset.PODKIDNOY, seats=4, throw_in_priority=ThrowInPriority.FREE, attack_cap=AttackCap.HAND
    ),
    preset(
        Preset.PODKIDNOY, seats=4, throw_in_priority=ThrowInPriority.LEADER_THEN_FREE, retract=True
    ),
    preset(Preset.PEREVODNOY, seats=5, throw_in=ThrowIn.NEIGHBOURS, dump=Dump.MAY),
    preset(Preset.PROSTOY, seats=3, deals=3),
    preset(
        Preset.JAPANESE, seats=4, teams=Teams.ALTERNATE, throw_in_timing=ThrowInTiming.AFTER_COVERED
    ),
]


@pytest.mark.parametrize("rules", TABLES)
async def test_bots_play_a_match_to_its_end(rules: RuleSet) -> None:
    async with house(MemoryStore()) as live:
        match = await play_out(await against_bots(live, rules))

    assert match.status is MatchStatus.FINISHED
    assert match.deals_played == rules.deals


async def test_bots_are_woken_after_a_restart() -> None:
    store = MemoryStore()
    asleep = Pace(3600, 3600)
    rules = preset(Preset.PODKIDNOY, seats=4)
    async with house(store, asleep) as live:
        match = await against_bots(live, rules)
        while turn_of_a(match.match):
            await match.submit(next_move(match.match))
        before = match.match

    async with house(store) as live:
        await live.wake(await store.unfinished_with_bots())
        (match,) = live
        assert match.history.match_at(before.sequence) == before

        assert (await play_out(match)).status is MatchStatus.FINISHED


async def humans(live: LiveMatches, rules: RuleSet) -> LiveMatch:
    """A match of "a" and other humans, dealt."""
    await live.submit(
        "m",
        CreateMatch("a", "", "A", "m", "CODE", Preset.PODKIDNOY, rules, start_when_full=True),
    )
    for seat in range(1, rules.seats):
        await live.submit("m", JoinMatch(f"h{seat}", "", f"Human {seat}"))
    return await live.find("m")


async def test_the_house_plays_on_for_all_who_left_but_one() -> None:
    rules = preset(Preset.PODKIDNOY, seats=4, deals=2, leave="BOT")
    async with house(MemoryStore()) as live:
        match = await humans(live, rules)
        for seat in range(1, 4):
            done(await match.submit(LeaveMatch(f"h{seat}", "")))
        played = await play_out(match)
    assert (played.status, played.deals_played) == (MatchStatus.FINISHED, 2)
    assert all(player and player.has_left for player in played.seats[1:])


async def test_the_house_goes_on_for_a_leaver_after_a_restart() -> None:
    store = MemoryStore()
    rules = preset(Preset.PODKIDNOY, seats=2, leave="BOT")
    async with house(store, Pace(3600, 3600)) as live:
        match = await humans(live, rules)
        done(await match.submit(LeaveMatch("h1", "")))
        while turn_of_a(match.match):
            await match.submit(next_move(match.match))
        assert match.bots_to_move() == (1,)

    async with house(store) as live:
        await live.wake(await store.unfinished_with_bots())
        (match,) = live
        assert (await play_out(match)).status is MatchStatus.FINISHED


async def test_bots_wait_for_a_store_that_is_full() -> None:
    store = FullStore()
    async with house(store) as live:
        match = await against_bots(live, preset(Preset.PODKIDNOY, seats=3))
        while not match.bots_to_move():
            await match.submit(next_move(match.match))
        store.is_full = True
        before = match.match
        for _ in range(100):
            await asyncio.sleep(0)
        assert match.match == before

        store.is_full = False
        assert (await play_out(match)).status is MatchStatus.FINISHED


class OnceSlow(Random):
    """Dice by which the first bot to think does so for an hour, and all others for no time."""

    seconds = 3600.0

    def uniform(self, a: float, b: float) -> float:
        seconds, self.seconds = self.seconds, 0.0
        return seconds


async def test_a_bot_goes_on_at_a_match_that_was_forgotten_and_read_again() -> None:
    store = TornStore()
    async with house(store, dice=OnceSlow(7)) as live:
        match = await against_bots(live, preset(Preset.PODKIDNOY, seats=2))
        while turn_of_a(match.match):
            await match.submit(next_move(match.match))
        store.is_torn, store.stores, store.can_read = True, False, False
        with pytest.raises(LogLost):
            await match.submit(LeaveMatch("a", ""))
        store.is_torn, store.can_read = False, True

        # The bot of the forgotten match still thinks.
        again = await live.find("m")

        assert (await play_out(again)).status is MatchStatus.FINISHED


async def test_closed_bots_let_a_match_wait() -> None:
    metrics = Metrics("test")
    bots = HouseBots(AT_ONCE, metrics.play, Random(7))
    live = LiveMatches(Surroundings(MemoryStore(), metrics), bots.attend)
    match = await against_bots(live, preset(Preset.PODKIDNOY, seats=2))
    with match.watch(match.match.sequence, "") as watcher:
        while not turn_of_a(match.match):
            watcher.advance()
            await watcher.wait(60)
    await bots.close()
    while turn_of_a(match.match):
        await match.submit(next_move(match.match))
    before = match.match

    for _ in range(100):
        await asyncio.sleep(0)

    assert match.match is before
    await live.close()


async def test_a_match_that_waits_for_a_bot_stays_in_memory() -> None:
    async with house(MemoryStore(), Pace(3600, 3600)) as live:
        match = await against_bots(live, preset(Preset.PODKIDNOY, seats=2))
        while turn_of_a(match.match):
            await match.submit(next_move(match.match))

        assert match.bots_to_move() == (1,)
        assert not match.is_idle()


async def test_a_bots_time_is_drawn_from_one_range_whatever_its_moves() -> None:
    metrics = Metrics("test")
    least, most = 0.002, 0.004
    async with house(MemoryStore(), Pace(least, most), metrics) as live:
        await play_out(await against_bots(live, preset(Preset.PODKIDNOY, seats=2)))

    total = metrics.registry.get_sample_value("durak_bot_thinking_seconds_sum", {"level": "LOWEST"})
    number = metrics.registry.get_sample_value(
        "durak_bot_thinking_seconds_count", {"level": "LOWEST"}
    )
    assert total
    assert number
    assert total / number >= least
