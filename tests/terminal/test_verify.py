"""`durak verify`: a stranger checks the deals of a match."""

import json
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from durak_client import Client, play
from tests.client.players import Chooser, match_with_bot, player
from tests.live_server import running_server
from tests.terminal.commands import durak

FAIR = (
    "Deal 1: proven. The cards are those to which the server was bound beforehand, mixed with the"
    " seeds of Vasya.\n"
)


async def played(client: Client) -> str:
    """Play a match and return its id."""
    match = await match_with_bot(client)
    await play(client, match, Chooser(3))
    return match.match_id


@pytest.fixture
async def document(tmp_path: Path) -> Path:
    """The document of a match that was played, saved by the command, its server gone."""
    file = tmp_path / "match.json"
    async with running_server() as server, player(server.port, "Vasya") as vasya:
        match_id = await played(vasya)
        address = f"127.0.0.1:{server.port}"
        told = await durak(tmp_path, "verify", match_id, "--server", address, "--save", str(file))
    assert (told.code, told.out, told.err) == (0, FAIR, "")
    return file


def read(document: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(document.read_text(encoding="utf-8"))
    return data


def write(document: Path, data: dict[str, Any]) -> None:
    document.write_text(json.dumps(data), encoding="utf-8")


async def test_a_document_is_checked_without_a_server(document: Path, tmp_path: Path) -> None:
    told = await durak(tmp_path, "verify", str(document), "--server", "127.0.0.1:1")
    assert (told.code, told.out, told.err) == (0, FAIR, "")


async def test_the_answer_of_get_replay_is_a_document_as_well(
    document: Path, tmp_path: Path
) -> None:
    data = read(document)
    answer = {"info": {"matchId": data["matchId"]}, "events": data["events"], "openCards": True}
    write(document, answer)
    told = await durak(tmp_path, "verify", str(document))
    assert (told.code, told.out) == (0, FAIR)


async def test_a_seed_that_is_not_the_committed_one_is_told_in_plain_words(
    document: Path, tmp_path: Path
) -> None:
    data = read(document)
    (reveal,) = [event for event in data["events"] if "seedRevealed" in event]
    reveal["seedRevealed"]["seed"] = "A" * 43 + "="
    write(document, data)
    told = await durak(tmp_path, "verify", str(document))
    assert (told.code, told.err) == (4, "")
    assert told.out == (
        "Deal 1: NOT FAIR. The seed that the server showed is not the one that it committed to"
        f" (event {reveal['sequence']}).\n"
    )


async def test_a_deal_without_a_commitment_is_not_provable(document: Path, tmp_path: Path) -> None:
    data = read(document)
    kinds = ("dealCommitted", "seedAdded", "seedRevealed")
    kept = [event for event in data["events"] if not any(kind in event for kind in kinds)]
    data["events"] = [event | {"sequence": number} for number, event in enumerate(kept, 1)]
    write(document, data)
    told = await durak(tmp_path, "verify", str(document))
    assert (told.code, told.out) == (
        5,
        "Deal 1: not provable: the server was bound to nothing when it dealt.\n",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no JSON", "This is no document of a match: Expecting value"),
        ("[]", "This is no document of a match: list indices must be"),
        ('{"events": []}', "This is no document of a match: it has no 'info'"),
        ("[" * 100_000, "This is no document of a match: maximum recursion depth"),
        ('{"matchId": "m", "events": [{"sequence": "x"}]}', "This is no document of a match: "),
        (
            '{"matchId": "m", "events": [{"recordedAt": "2026-11-30T12:00:00.1e400Z"}]}',
            "This is no document of a match: cannot convert float infinity",
        ),
        ('{"matchId": "m", "events": []}', "the first event does not make a match"),
        ('{"matchId": "m", "events": [{"sequence": 2}]}', "the events do not count 1, 2, 3"),
        (
            '{"matchId": "m", "events": [{"sequence": 1, "matchCreated": {}}]}',
            "the first event does not tell the rules",
        ),
    ],
)
async def test_what_is_no_document_is_said_in_one_line(
    text: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    told = await durak(tmp_path, "verify", str(file))
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith(said)
    assert told.err.count("\n") == 1


async def test_of_a_match_in_play_the_deals_that_are_over_are_proven(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port, "Vasya") as vasya:
        address = ("--server", f"127.0.0.1:{server.port}")
        match = await vasya.create_match("podkidnoy", seats=2)
        undealt = await durak(tmp_path, "verify", match.match_id, *address)
        await match.add_bot()
        await match.start()
        dealt = await durak(tmp_path, "verify", match.match_id, *address)
    assert (undealt.code, undealt.out) == (0, "No cards have been dealt.\n")
    assert (dealt.code, dealt.out) == (
        0,
        "Deal 1: still played; the server's seed is shown when it is over.\n",
    )


async def test_a_bot_adds_a_seed_to_each_of_its_deals(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port, "Vasya") as vasya:
        match = await vasya.create_match("podkidnoy", seats=2, deals=2)
        await match.add_bot("random")
        await match.start()
        await play(vasya, match, Chooser(3))
        address = f"127.0.0.1:{server.port}"
        told = await durak(tmp_path, "verify", match.match_id, "--server", address)
    assert (told.code, told.out) == (0, FAIR + FAIR.replace("Deal 1", "Deal 2"))
