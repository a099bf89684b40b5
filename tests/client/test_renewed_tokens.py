"""A client gets a new token before the last one expires."""

from datetime import timedelta

import pytest

from durak_client import Move, Unauthenticated, View, play_many
from durak_client.matches import MatchStatus
from durak_server.api.callers import Caller, Scope
from durak_server.api.tokens import Tokens
from tests.client.players import Chooser, match_with_bot, player
from tests.fake_time import NOON, FakeTime
from tests.live_server import server_at

SECRET = "a secret of at least thirty-two characters"
SETTINGS = {"token_secret": SECRET, "token_lifetime_seconds": 3600}


def next_token(player_id: str) -> str:
    """Return a token that is good until two hours after noon."""
    until = (NOON + timedelta(hours=2)).timestamp()
    caller = Caller(player_id, "Vasya", frozenset({Scope.PLAY}), until)
    return Tokens(SECRET, timedelta(hours=1), lambda: NOON).sign(caller)


async def test_a_stream_plays_on_with_the_next_token() -> None:
    time = FakeTime()
    async with server_at(time.keeper, **SETTINGS) as server, player(server.port) as client:
        choose = Chooser(1)

        def choosing_late(view: View) -> Move:
            if time.now == NOON:
                time.advance(3600)
                client.renew(next_token(client.player_id))
            return choose(view)

        (end,) = await play_many(client, [await match_with_bot(client)], choosing_late)

        assert end.status is MatchStatus.FINISHED
        assert time.now > NOON


async def test_a_client_that_was_not_renewed_is_told_so() -> None:
    time = FakeTime()
    async with server_at(time.keeper, **SETTINGS) as server, player(server.port) as client:
        time.advance(3600)

        with pytest.raises(Unauthenticated, match="time is over"):
            await client.create_match()


async def test_another_players_token_is_not_taken() -> None:
    async with server_at(FakeTime().keeper, **SETTINGS) as server, player(server.port) as client:
        with pytest.raises(ValueError, match="another player's"):
            client.renew(next_token("somebody"))
