"""A client that is asked for the next token by the server's clock, and asks its user for it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from durak_client import Client, Move, Unauthenticated, View, play_many
from durak_client.cli.seating import Access, sign_in
from durak_client.matches import MatchStatus
from durak_client.renewal import NextToken
from durak_server.api.callers import Caller, Scope
from durak_server.api.tokens import Tokens
from tests.client.players import QUICK, Chooser, match_with_bot
from tests.fake_time import FakeTime
from tests.live_server import server_at

SECRET = "a secret of at least thirty-two characters"
HOUR = timedelta(hours=1)


class Provider:
    """Signs tokens that are good for an hour; `given` counts them."""

    def __init__(self) -> None:
        self.time = FakeTime()
        self.given = 0

    def token(self, player_id: str = "anna") -> str:
        self.given += 1
        until = (self.time.now + HOUR).timestamp()
        caller = Caller(player_id, "Anna", frozenset({Scope.PLAY}), until)
        return Tokens(SECRET, HOUR, lambda: self.time.now).sign(caller)

    async def token_by_and_by(self) -> str:
        await asyncio.sleep(0)
        return self.token()

    def let_expire(self) -> None:
        self.time.advance(3600)


@asynccontextmanager
async def connected(
    provider: Provider, next_token: NextToken | None = None
) -> AsyncIterator[Client]:
    """Connect a player, at a server that goes by the provider's time."""
    async with server_at(provider.time.keeper, token_secret=SECRET) as server:
        connecting = Client.connect(
            f"127.0.0.1:{server.port}",
            token=provider.token(),
            next_token=next_token or provider.token,
            patience=QUICK,
        )
        async with await connecting as client:
            yield client


KINDS: dict[str, Callable[[Provider], NextToken]] = {
    "a function": lambda provider: provider.token,
    "a coroutine function": lambda provider: provider.token_by_and_by,
}


@pytest.mark.parametrize("kind", KINDS)
async def test_calls_go_on_with_one_next_token_for_all_of_them(kind: str) -> None:
    provider = Provider()
    async with connected(provider, KINDS[kind](provider)) as client:
        for hours in range(1, 3):
            provider.let_expire()
            await asyncio.gather(*(client.create_match() for _ in range(10)))

            assert provider.given == 1 + hours


async def test_streams_are_begun_with_the_next_token() -> None:
    provider = Provider()
    async with connected(provider) as client:
        match = await client.create_match()
        for stream in (match.follow(), client.watch_lobby()):
            provider.let_expire()
            async with aclosing(stream) as updates:
                assert await anext(updates)
        assert provider.given == 3


async def test_moves_on_one_stream_go_on_with_the_next_token() -> None:
    provider = Provider()
    choose = Chooser(1)
    async with connected(provider) as client:

        def choosing_late(view: View) -> Move:
            if provider.given < 4:
                provider.let_expire()
            return choose(view)

        ends = await play_many(
            client, [await match_with_bot(client) for _ in range(2)], choosing_late
        )

    assert [end.status for end in ends] == [MatchStatus.FINISHED] * 2
    assert provider.given >= 4


async def test_a_match_is_followed_on_a_stream_that_outlived_its_token() -> None:
    provider = Provider()
    async with connected(provider) as client, client.stream() as stream:
        match = stream.match(await client.create_match())
        async with aclosing(match.follow()) as updates:
            await anext(updates)
        provider.let_expire()

        async with aclosing(match.follow()) as updates:
            assert (await anext(updates)).events
    assert provider.given == 2


async def test_without_a_next_token_the_refusal_says_why() -> None:
    provider = Provider()

    def broken() -> str:
        raise OSError("the provider does not answer")

    for next_token, cause in (
        (broken, "the provider does not answer"),
        (lambda: provider.token("boris"), "another player's"),
    ):
        async with connected(provider, next_token) as client:
            provider.let_expire()
            with pytest.raises(Unauthenticated) as refused:
                await client.create_match()
            assert cause in str(refused.value.__cause__)
            async with client.stream() as stream:
                with pytest.raises(Unauthenticated):
                    await anext(stream.follow("m"))


async def test_a_next_token_that_is_over_as_well_is_refused() -> None:
    provider = Provider()
    old = []
    for _ in range(9):
        old.append(provider.token())
        provider.time.advance(1)
    async with connected(provider, old.pop) as client:
        provider.let_expire()
        with pytest.raises(Unauthenticated, match="time is over"):
            await client.create_match()


async def test_the_command_reads_the_file_of_its_token_again(tmp_path: Path) -> None:
    provider = Provider()
    file = tmp_path / "token"
    file.write_text(provider.token())
    async with server_at(provider.time.keeper, token_secret=SECRET) as server:
        client = await sign_in(Access(f"127.0.0.1:{server.port}", token_file=file))
        provider.let_expire()
        file.write_text(provider.token())

        await client.create_match()
        await client.close()
