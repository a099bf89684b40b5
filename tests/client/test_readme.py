"""What the client's README shows is run as it stands there."""

import contextlib
import re
from pathlib import Path
from textwrap import indent

import pytest

from durak_client import Client, Match, MatchStatus, RuleRefused, play, play_many
from durak_client.proofs import Verdict, proofs
from tests.client.players import Chooser, player
from tests.live_server import running_server

README = Path(__file__).parents[2] / "clients" / "python" / "README.md"


async def run(beginning: str, port: int, **names: object) -> None:
    """Run the one piece of Python in the README that begins so, with these names known to it."""
    pieces = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (piece,) = (piece for piece in pieces if piece.startswith(beginning))
    here = piece.replace("Client.connect(", f'Client.connect("127.0.0.1:{port}", ')
    exec(f"async def shown():\n{indent(here, '    ')}", names)
    shown = names["shown"]
    assert callable(shown)
    await shown()


async def match_with_bots(client: Client) -> Match:
    match = await client.create_match("podkidnoy", seats=3)
    await match.add_bot("lowest")
    await match.add_bot("random")
    await match.start()
    return match


async def test_a_match_is_followed_and_its_deals_are_proven(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with running_server() as server, player(server.port) as client:
        match = await match_with_bots(client)
        following = {"suppress": contextlib.suppress, "RuleRefused": RuleRefused}
        await run("moved_at = 0", server.port, match=match, **following)
        assert (await match.view()).status == MatchStatus.FINISHED
        followed = capsys.readouterr().out
        assert "MatchFinished(" in followed.splitlines()[-1]
        await run("replay = ", server.port, match=match, proofs=proofs)
        assert capsys.readouterr().out == f"1 {Verdict.PROVEN} (0,)\n"


async def test_a_bot_that_was_killed_plays_on_all_its_matches() -> None:
    async with running_server() as server, player(server.port) as client:
        matches = [await match_with_bots(client) for _ in range(3)]
        names = {"Client": Client, "token": client.token, "choose": Chooser(1)}
        await run("async with await Client.", server.port, play_many=play_many, **names)
        ends = [await match.view() for match in matches]
        assert [view.status for view in ends] == [MatchStatus.FINISHED] * 3
        assert await play(client, matches[0], Chooser(2)) == ends[0]
