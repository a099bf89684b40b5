"""Bytes that are almost requests: sound ones with a few bits, bytes or lengths changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from grpc import aio

from tests.api.operators import Operator
from tests.fuzz.attackers import call_raw, stream_raw
from tests.fuzz.inventing import Inventor
from tests.fuzz.methods import OPERATORS_METHODS, PLAYERS_METHODS, WireMethod
from tests.fuzz.seen import Seen
from tests.live_server import Calls, Metadata, started_match


def flip_a_bit(data: bytearray, dice: Random) -> None:
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def cut(data: bytearray, dice: Random) -> None:
    del data[dice.randrange(len(data)) :]


def put_in(data: bytearray, dice: Random) -> None:
    at = dice.randrange(len(data))
    data[at:at] = dice.randbytes(dice.choice((1, 2, 10)))


def double(data: bytearray, _: Random) -> None:
    data.extend(data)


def claim_a_great_length(data: bytearray, dice: Random) -> None:
    at = dice.randrange(len(data))
    data[at : at + 1] = b"\xff\xff\xff\xff\x0f"


def nest_deeply(data: bytearray, dice: Random) -> None:
    """Open groups, which a parser may follow for ever."""
    data.extend(bytes([(dice.randint(1, 12) << 3) | 3]) * dice.choice((1, 90, 5_000)))


_CHANGES: Final[Sequence[Callable[[bytearray, Random], None]]] = (
    flip_a_bit,
    flip_a_bit,
    flip_a_bit,
    cut,
    put_in,
    double,
    claim_a_great_length,
    nest_deeply,
)


def almost(data: bytes, dice: Random) -> bytes:
    """Return bytes with up to four changes, now and then with none, or others altogether."""
    if dice.random() < 0.05:
        return dice.randbytes(dice.choice((0, 1, 5, 100, 1_000)))
    changed = bytearray(data)
    for _ in range(dice.randrange(5)):
        if changed:
            dice.choice(_CHANGES)(changed, dice)
    return bytes(changed)


@dataclass(frozen=True)
class RawCaller:
    """Sends almost sound requests over a connection, with what proves who sends them."""

    channel: aio.Channel
    metadata: Metadata
    methods: Sequence[WireMethod]
    inventor: Inventor

    async def send_any(self, dice: Random) -> None:
        """Send one message to any method; its answer must come, and a refusal say why."""
        method = dice.choice(self.methods)
        await self.send(
            method, almost(self.inventor.make(method.request).SerializeToString(), dice)
        )

    async def send(self, method: WireMethod, data: bytes) -> bytes | None:
        """Send these bytes to a method; return its first answer, None if it refuses them."""
        ask = call_raw if method.is_unary else stream_raw
        return await ask(self.channel, self.metadata, method, data)


async def raw_callers(calls: Calls, operator: Operator, dice: Random) -> list[RawCaller]:
    """Return two players of a match and an operator, who knows of another match alone.

    Otherwise he would soon have ended theirs, and banned them.
    """
    mine, theirs = Seen(), Seen()
    players = await calls.guests(4)
    for seen, two in ((mine, players[:2]), (theirs, players[2:])):
        seen.learn(await two[0].look(await started_match(2, two)))
    inventor = Inventor(dice, mine)
    return [
        *(RawCaller(calls.channel, one.metadata, PLAYERS_METHODS, inventor) for one in players[:2]),
        RawCaller(operator.channel, operator.metadata, OPERATORS_METHODS, Inventor(dice, theirs)),
    ]
