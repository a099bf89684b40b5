"""Many players call whatever there is, soundly and not: every call is answered as it should be.

`make fuzz` goes on for as long as it is told to.
"""

import asyncio
import os
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from durak_server.pb.durak.v1 import match_pb2, play_service_pb2
from tests.fuzz.attackers import answer_of, call, command, read_some, together
from tests.fuzz.besieged import besieged, overheard
from tests.fuzz.inventing import PASSWORDS
from tests.fuzz.methods import STREAMS, UNARY, WireMethod
from tests.live_server import Guest

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "4"))
STEPS = int(os.environ.get("FUZZ_STEPS", "20"))
_MOST_ATTACKERS = 5

_Answer = TypeVar("_Answer")
# Rules throw these dice themselves: what they choose from differs from run to run.
dice = strategies.builds(Random, strategies.integers(0, 2**32 - 1))
methods = strategies.lists(strategies.sampled_from(UNARY), min_size=8, max_size=30)


class Siege(RuleBasedStateMachine):
    """A server of its own for each run; its loop runs while a rule does."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.Runner()
        self._folder = tempfile.TemporaryDirectory()
        self._served = besieged(Path(self._folder.name))
        self.siege = self._do(self._served.__aenter__())

    def _do(self, deed: Coroutine[object, object, _Answer]) -> _Answer:
        return self._loop.run(deed)

    def teardown(self) -> None:
        """End the server, and let it be judged by what it leaves."""
        try:
            self._do(self._end())
        finally:
            self._loop.close()
            self._folder.cleanup()

    async def _end(self) -> None:
        await self._served.__aexit__(None, None, None)

    @initialize(dice=dice)
    def two_come_and_fill_a_match(self, dice: Random) -> None:
        self._do(self._come(2))
        self._do(self._fill(dice, seats=2, ready=False))

    @rule()
    def somebody_comes(self) -> None:
        if len(self.siege.attackers) < _MOST_ATTACKERS:
            self._do(self._come(1))

    async def _come(self, number: int) -> None:
        guests = await self.siege.calls.guests(number)
        self.siege.attackers += guests

    @rule(dice=dice, methods=methods)
    def call_one_after_the_other(self, dice: Random, methods: list[WireMethod]) -> None:
        async def deed() -> None:
            for method in methods:
                await self._call(dice, method)

        self._do(deed())

    @rule(dice=dice, methods=methods)
    def call_much_at_once(self, dice: Random, methods: list[WireMethod]) -> None:
        async def deed() -> None:
            await together([self._call(dice, method) for method in methods])

        self._do(deed())

    async def _call(self, dice: Random, method: WireMethod) -> None:
        request = self.siege.inventor(dice).make(method.request)
        answer = await call(self.siege.attacker(dice), method, request)
        if answer is not None:
            self.siege.seen.learn(answer)

    @rule(dice=dice, method=strategies.sampled_from(STREAMS))
    def read_a_stream(self, dice: Random, method: WireMethod) -> None:
        request = self.siege.inventor(dice).make(method.request)
        self._do(read_some(self.siege.attacker(dice), method, request))

    @rule(dice=dice, number=strategies.integers(1, 3))
    def give_commands(self, dice: Random, number: int) -> None:
        inventor = self.siege.inventor(dice)
        requests = [inventor.make(play_service_pb2.PlayRequest) for _ in range(number)]
        self._do(command(self.siege.attacker(dice), requests))

    @rule(dice=dice, seats=strategies.integers(2, 3), ready=strategies.booleans())
    def fill_a_match(self, dice: Random, seats: int, ready: bool) -> None:
        self._do(self._fill(dice, seats, ready))

    async def _fill(self, dice: Random, seats: int, ready: bool) -> None:
        owner = self.siege.attacker(dice)
        made = await answer_of(owner.create(rules={"seats": seats}, require_ready=ready))
        if made is None:
            return
        self.siege.seen.learn(made)
        for guest in self.siege.attackers:
            await answer_of(guest.join(made.info.match_id))
            await answer_of(guest.set_ready(made.info.match_id, is_ready=True))
        await answer_of(owner.add_bot(made.info.match_id))
        await answer_of(owner.start(made.info.match_id))

    @rule(dice=dice, moves=strategies.integers(1, 60))
    def play_on(self, dice: Random, moves: int) -> None:
        match_ids = self.siege.seen.texts("match_id")
        if match_ids:
            self._do(self._play(dice.choice(match_ids), moves, dice))

    async def _play(self, match_id: str, moves: int, dice: Random) -> None:
        for _ in range(moves):
            acted = [await _move(guest, match_id, dice) for guest in self.siege.attackers]
            if not any(acted):
                return

    @rule(seconds=strategies.sampled_from((0.1, 1, 30, 600)))
    def time_passes(self, seconds: float) -> None:
        async def deed() -> None:
            self.siege.time.advance(seconds)

        self._do(deed())

    @invariant()
    def holds(self) -> None:
        self._do(self.siege.check())


async def _move(guest: Guest, match_id: str, dice: Random) -> bool:
    looked = await answer_of(guest.look(match_id))
    playing = looked and looked.info.status == match_pb2.MATCH_STATUS_PLAYING
    if not looked or not playing or not looked.view.legal_moves:
        return False
    group = dice.choice(looked.view.legal_moves)
    move = {"kind": group.kind, "cards": group.cards[: group.min_cards], "target": group.target}
    made = await answer_of(
        guest.calls.play.MakeMove(
            play_service_pb2.MakeMoveRequest(match_id=match_id, move=move),  # type: ignore[arg-type]  # a dict will do
            metadata=guest.metadata,
        )
    )
    return made is not None


TestSiege = Siege.TestCase
TestSiege.settings = settings(max_examples=EXAMPLES, stateful_step_count=STEPS)


@pytest.mark.parametrize("told", ["8S", "the password is open sesame"])
def test_all_that_is_said_of_a_siege_is_searched_for_secrets(told: str) -> None:
    with pytest.raises(AssertionError), overheard(set(PASSWORDS)) as lines:
        lines.write(told)
