"""Bots written with the library play whole matches at a real server."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from durak_client import Client, Match, Move, MoveKind, RuleRefused, View, play
from durak_client.matches import MatchStatus
from tests.client.players import Chooser, match_with_bot, player
from tests.live_server import running_server

ROOT = Path(__file__).resolve().parents[2]


TABLES: dict[str, Callable[[Client], Awaitable[Match]]] = {
    # what no server plays yet is set back to the default
    "podkidnoy": lambda owner: owner.create_match("podkidnoy", 4),
    "perevodnoy": lambda owner: owner.create_match("perevodnoy", 4),
    "podkidnoy_folk": lambda owner: owner.create_match("podkidnoy_folk", 4, leave="FORFEIT"),
    "perevodnoy_folk": lambda owner: owner.create_match("perevodnoy_folk", 4, leave="FORFEIT"),
    "prostoy": lambda owner: owner.create_match("prostoy", 4),
    "japanese": lambda owner: owner.create_match("japanese", 4),
    "online": lambda owner: owner.create_match("online", 4),
}


@pytest.mark.parametrize("preset", TABLES)
async def test_four_bots_play_a_match_and_agree_on_its_end(preset: str) -> None:
    async with (
        running_server() as server,
        player(server.port, "Anna") as anna,
        player(server.port, "Boris") as boris,
        player(server.port, "Galina") as galina,
        player(server.port, "Dima") as dima,
    ):
        match = await TABLES[preset](anna)
        for client in (boris, galina, dima):
            await client.join(match.match_id)
        await match.start()
        bots = (anna, boris, galina, dima)
        ends = await asyncio.gather(
            *(play(client, match.match_id, Chooser(seed)) for seed, client in enumerate(bots))
        )
        assert [end.seat for end in ends] == [0, 1, 2, 3]
        assert {end.status for end in ends} == {MatchStatus.FINISHED}
        assert len({(end.sequence, end.fools) for end in ends}) == 1


async def test_a_bot_that_chooses_an_illegal_move_is_told() -> None:
    def always_claims_a_redeal(_: View) -> Move:
        return Move(MoveKind.CLAIM_REDEAL)

    async with running_server() as server, player(server.port) as client:
        match = await match_with_bot(client)
        with pytest.raises(RuleRefused) as refused:
            await play(client, match, always_claims_a_redeal)
        assert refused.value.reason == "REDEAL_DISABLED"


async def test_a_bot_that_others_overtook_chooses_again() -> None:
    chosen: list[int] = []

    async with running_server() as server, player(server.port) as client:
        match = await client.create_match(seats=3, throw_in_priority="FREE")
        for _ in range(2):
            await match.add_bot()
        await match.start()

        def hesitates(view: View) -> Move:
            chosen.append(view.sequence)
            return Chooser(view.sequence)(view)

        end = await play(client, match, hesitates)
        assert end.status == MatchStatus.FINISHED
        assert chosen == sorted(chosen)


async def test_a_bot_comes_back_to_a_match_by_its_id() -> None:
    async with running_server() as server, player(server.port) as client:
        match = await match_with_bot(client)
        async with player(server.port, token=client.token) as again:
            end = await play(again, match.match_id, Chooser(5))
        assert end == await match.view()
        assert await play(client, match, Chooser(6)) == end


def example() -> str:
    return (ROOT / "examples" / "bot.py").read_text()


def code_of_example() -> str:
    """Return the example without its docstring."""
    return example().split('"""\n\n', 1)[1]


@pytest.mark.parametrize("readme", ["clients/python/README.md"])
def test_the_example_stands_word_for_word_in_the_readme(readme: str) -> None:
    assert f"```python\n{code_of_example()}```" in (ROOT / readme).read_text()


async def test_the_example_plays_to_the_fool(capsys: pytest.CaptureFixture[str]) -> None:
    async with running_server() as server:
        source = example().replace("127.0.0.1:50051", f"127.0.0.1:{server.port}")
        assert source != example()
        namespace: dict[str, object] = {}
        await asyncio.to_thread(exec, compile(source, "bot.py", "exec"), namespace)
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("The fool")]
    assert told in (["The fool: Vasya"], ["The fool: Agafya"], ["The fool: nobody"])
