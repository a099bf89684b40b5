"""A client that brings its own token, and gets the next before the last expires."""

from datetime import timedelta
from pathlib import Path

import pytest

from durak_client import Move, Unauthenticated, View, play_many
from durak_client.matches import MatchStatus
from durak_server.api.callers import Caller, Scope
from durak_server.api.tokens import Tokens
from tests.client.players import Chooser, match_with_bot, player
from tests.fake_time import NOON, FakeTime
from tests.live_server import metric, running_server, server_at
from tests.terminal.commands import durak

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


async def test_the_command_takes_its_users_token_and_makes_no_guest(tmp_path: Path) -> None:
    file = tmp_path / "token"
    async with running_server(token_secret=SECRET) as server, player(server.port) as client:
        flags = ("--server", f"127.0.0.1:{server.port}", "--token-file", str(file))
        file.write_text(client.token + "\n")
        listed = await durak(tmp_path, "matches", *flags)
        file.write_text("x.y.z\n")
        refused = await durak(tmp_path, "matches", *flags)

        assert (listed.code, refused.code) == (0, 1)
        assert metric(server, "durak_guests_created_total") == 1


async def test_another_players_token_is_not_taken() -> None:
    async with server_at(FakeTime().keeper, **SETTINGS) as server, player(server.port) as client:
        with pytest.raises(ValueError, match="another player's"):
            client.renew(next_token("somebody"))
