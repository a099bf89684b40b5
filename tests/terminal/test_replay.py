"""`durak replay` and `durak export`, by pipes and in a real terminal."""

import shlex
from pathlib import Path

import pytest

from durak_client import Client, play
from tests.live_server import running_server
from tests.terminal.commands import DURAK, durak
from tests.terminal.screens import terminal

RECORDED = Path(__file__).parents[1] / "recorded"


async def played_match(client: Client) -> str:
    match = await client.create_match("podkidnoy", seats=2, start_when_full=True)
    await match.add_bot("lowest")
    await play(client, match, lambda view: view.legal_moves[0])
    return match.match_id


def tables(told: str) -> list[str]:
    """Return the lines of the tables between the steps."""
    return [line for line in told.splitlines() if line.startswith("   ")]


async def test_a_match_is_exported_and_its_file_tells_what_the_server_tells(tmp_path: Path) -> None:
    async with running_server() as server:
        target = f"127.0.0.1:{server.port}"
        address = ("--server", target)
        async with await Client.connect(target, name="Vasya") as client:
            match_id = await played_match(client)
        told = await durak(tmp_path, "replay", match_id, "--plain", *address)
        file = tmp_path / "game.durak"
        written = await durak(tmp_path, "export", match_id, "-o", str(file), *address)
        printed = await durak(tmp_path, "export", match_id, *address)
    assert (written.code, written.out) == (0, "")
    assert file.read_text(encoding="utf-8") == printed.out
    from_file = await durak(tmp_path, "replay", str(file), "--plain")
    assert (from_file.code, told.code, told.err) == (0, 0, "")
    assert tables(from_file.out) == tables(told.out) != []
    assert told.out.splitlines()[0] == "1. Match created."
    assert told.last_line.endswith(". Match finished.")
    assert "   Vasya: " in told.out


async def test_in_play_only_the_own_hand_is_told(tmp_path: Path) -> None:
    async with running_server() as server:
        target = f"127.0.0.1:{server.port}"
        async with await Client.connect(target, name="Vasya") as client:
            match = await client.create_match("podkidnoy", seats=2, start_when_full=True)
            other = await Client.connect(target, name="Boris")
            await other.join(match.match_id)
            await other.close()
            told = await durak(tmp_path, "replay", match.match_id, "--plain", "--server", target)
            refused = await durak(tmp_path, "export", match.match_id, "--server", target)
    assert told.code == 0
    assert "   Cards: Vasya 6, Boris 6. Stock 24." in told.out
    assert "   Vasya: " not in told.out
    assert (refused.code, refused.out, refused.err) == (
        *(1, ""),
        "The server refused: The match is not over.\n",
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no game\n", "line 1: expected: deal 1 dealer P0 leader P1"),
        (b"{}", "this is no archived match"),
        (b"\x1f\x8b", "this is no archived match"),
        (b"\xff", "'utf-8' codec can't decode"),
        (
            (RECORDED / "broken" / "card_led_twice.json").read_bytes(),
            "record 12 loses or doubles a card",
        ),
    ],
)
async def test_a_file_without_a_match_is_told_in_one_line(
    tmp_path: Path, content: bytes, said: str
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    failed = await durak(tmp_path, "replay", str(file))
    assert (failed.code, failed.out, failed.err.count("\n")) == (1, "", 1)
    assert failed.err.startswith(f"{file}: {said}")


async def test_keys_step_through_a_match(tmp_path: Path) -> None:
    command = shlex.join([str(DURAK), "replay", str(RECORDED / "perevodnoy.json")])
    async with terminal(tmp_path, f"{command}; echo exit code $?") as tty:
        first = await tty.screen_once(
            "event 7 of 295 · open cards", "Deal 1: ", "\nPlayer 3  ", "q: quit"
        )
        await tty.press("b")
        await tty.screen_once("bout 1 · event 8 of 295")
        bout = await tty.screen_once("Player 1 attacks Player 2.", "q: quit")
        await tty.press("Right")
        await tty.screen_once("event 9 of 295")
        await tty.press("p")
        await tty.screen_once(bout)
        await tty.press("2")
        await tty.screen_once("seen by Player 1")
        hand = "╭───╮ ╭───╮ ╭───╮ ╭───╮ ╭───╮ ╭───╮"
        mine = await tty.screen_once(hand, "q: quit")
        assert "\nPlayer 3  " not in mine
        await tty.press("G")
        await tty.screen_once("event 295 of 295 · seen by Player 1")
        await tty.press("B")
        await tty.press("o")
        await tty.screen_once("open cards")
        await tty.press("g")
        await tty.screen_once(first)
        await tty.resize(120, 40)
        await tty.screen_once("─" * 60)
        await tty.press("q")
        await tty.screen_once("exit code 0")


async def test_a_table_and_a_deal_are_drawn(tmp_path: Path) -> None:
    recorded, table, deal = str(RECORDED / "prostoy.json"), tmp_path / "t.svg", tmp_path / "d.svg"
    drawn = await durak(tmp_path, "render", recorded, "--at", "40", "--seat", "2", "-o", str(table))
    assert (drawn.code, drawn.out, drawn.err) == (0, f"Drew {table}\n", "")
    assert "<title>Prostoy · deal 1 · bout 8 · event 40</title>" in table.read_text("utf-8")
    drawn = await durak(tmp_path, "render", recorded, "--deal", "1", "-o", str(deal))
    assert (drawn.code, drawn.out, drawn.err) == (0, f"Drew {deal}\n", "")
    assert "<title>Prostoy · deal 1</title>" in deal.read_text("utf-8")
    for options, said in [
        (("--at", "999"), "There is no event 999; the last is 180.\n"),
        (("--at", "1"), "no cards have been dealt at that moment\n"),
        (("--deal", "2"), "There is no deal 2.\n"),
    ]:
        failed = await durak(tmp_path, "render", recorded, "-o", str(tmp_path / "x.svg"), *options)
        assert (failed.code, failed.out, failed.err) == (1, "", said)
