"""All kinds of calls, as many strangers make them: for metrics, and for what is drawn of them."""

import asyncio
from contextlib import AsyncExitStack, aclosing, suppress
from random import Random

from grpc import aio

from durak_server.pb.durak.v1 import match_pb2, rules_pb2, talk_pb2
from tests.api.one_stream import by_turn, follow, move, one_stream, unfollow
from tests.live_server import Calls, Guest, failure_of, first_move, play_to_the_end, started_match

BOT_LEVELS = (match_pb2.BOT_LEVEL_RANDOM, match_pb2.BOT_LEVEL_LOWEST)


class Traffic:
    """Guests who play, follow, leave, and get much wrong; the same for the same `seed`."""

    def __init__(self, calls: Calls, seed: int) -> None:
        self.seen_ids: set[str] = set()
        """Every match and player there was."""
        self._calls = calls
        self._dice = Random(seed)

    async def round(self) -> None:
        """Do everything once, in an order that differs."""
        deeds = [
            self.play_and_follow,
            self.play_on_one_stream,
            self.leave_a_match,
            self.begin_a_match,
            self.talk,
            self.be_refused,
            self.call_what_is_not_there,
            self.ask_for_too_much,
        ]
        self._dice.shuffle(deeds)
        for deed in deeds:
            await deed()

    async def play_and_follow(self) -> None:
        """Play to the end against a bot, with somebody who follows, and begin another match."""
        player = await self._guest()
        match_id = self._seen(await started_match(2, [player]))
        following = asyncio.create_task(player.followed(match_id))
        await play_to_the_end(match_id, [player])
        await following
        self._seen(await player.rematch(match_id))

    async def play_on_one_stream(self) -> None:
        """Move on a stream of Play, once as one may not, and ask for whatever else there is."""
        players = [await self._guest(), await self._guest()]
        match_id = self._seen(await started_match(2, players))
        mover, _ = await by_turn(match_id, players)
        chosen = first_move(await mover.view(match_id))
        async with one_stream(mover) as stream:
            await stream.ask(follow(match_id), *(move(match_id, chosen) for _ in range(2)))
            await stream.ask(unfollow(match_id))

    async def let_time_run_out(self) -> None:
        """Begin a match with turns of a second, and let the first one pass."""
        players = [await self._guest(), await self._guest()]
        rules = {"turn_seconds": 1, "on_timeout": rules_pb2.ON_TIMEOUT_FORFEIT}
        await players[0].followed(self._seen(await started_match(2, players, rules=rules)))

    async def leave_a_match(self) -> None:
        """Two play, one leaves after a move or two."""
        players = [await self._guest(), await self._guest()]
        match_id = self._seen(await started_match(2, players))
        for _ in range(self._dice.randint(0, 2)):
            for player in players:
                if moves := (await player.view(match_id)).legal_moves:
                    del moves[1:]
                    await player.move(match_id, first_move(await player.view(match_id)))
                    break
        await self._dice.choice(players).leave(match_id)

    async def begin_a_match(self) -> None:
        """Leave an open match and one being played behind."""
        players = [await self._guest(), await self._guest()]
        self._seen(await started_match(2, players))
        self._seen((await players[0].create(rules={"seats": 3})).info.match_id)
        level = self._dice.choice(BOT_LEVELS)
        made = await players[1].create(rules={"seats": 3})
        await players[1].add_bot(self._seen(made.info.match_id), level=level)

    async def talk(self) -> None:
        """Say something of each kind."""
        guest = await self._guest()
        match_id = self._seen((await guest.create()).info.match_id)
        await guest.say(match_id, "Hello")
        await guest.say(match_id, phrase=talk_pb2.PHRASE_HELLO)
        await guest.say(match_id, reaction=talk_pb2.REACTION_LAUGHTER)

    async def be_refused(self) -> None:
        """Ask for what the rules, the match or the lobby forbid."""
        players = [await self._guest(), await self._guest()]
        match_id = self._seen(await started_match(2, players))
        views = [await player.view(match_id) for player in players]
        (acting,) = [seat for seat, view in enumerate(views) if view.legal_moves]
        move = first_move(views[acting])
        await failure_of(players[1 - acting].move(match_id, move))
        await failure_of(players[0].start(match_id))
        await failure_of(players[0].look(f"unknown-{self._dice.random()}"))

    async def call_what_is_not_there(self) -> None:
        """Call a method of one's own invention."""
        path = f"/invented.Service{self._dice.randrange(10**9)}/Method"
        method: aio.UnaryUnaryMultiCallable[bytes, bytes] = self._calls.channel.unary_unary(path)
        with suppress(aio.AioRpcError):
            await method(b"")

    async def ask_for_too_much(self) -> None:
        """Send a message that is too large, and watch the lobby once too often."""
        await failure_of(self._calls.guest("x" * 70_000))
        guest = await self._guest()
        async with AsyncExitStack() as stack:
            for _ in range(10):
                watching = await stack.enter_async_context(aclosing(guest.watch_lobby()))
                await anext(watching)
            await failure_of(anext(guest.watch_lobby()))

    async def _guest(self) -> Guest:
        guest = await self._calls.guest(f"Guest {self._dice.randrange(10**9)}")
        self._seen(guest.player_id)
        return guest

    def _seen(self, name: str) -> str:
        self.seen_ids.add(name)
        return name
