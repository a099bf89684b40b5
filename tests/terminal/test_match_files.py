"""A match in a file, in every form: replayed, proven and exported without a server."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from durak_client.cli.app import app
from durak_server.matches import StartMatch, format_game, game_of
from durak_server.rules import RuleSet
from durak_server.store.archive import pack_match
from durak_server.store.event_kinds import RECORDS
from tests.matches.tabletop import MATCH_ID, Tabletop, full_table

RECORDED = Path(__file__).parents[1] / "recorded"
FAIR = (
    "Deal 1: proven. The cards are those to which the server was bound beforehand, mixed with the"
    " seeds of Player 1.\n"
)
NOT_FAIR = "Deal 1: NOT FAIR. The seed that the server showed is not the one that it committed to"
NO_SEEDS = (
    "A game as text leaves the seeds out and proves nothing: name the match's id, its archive,"
    " or a document that --save kept.\n"
)
UNBOUND = "Deal 1: not provable: the server was bound to nothing when it dealt.\n"


def played() -> Tabletop:
    """Return a match that was played out, with a player's seed in its deal."""
    table = full_table(RuleSet(seats=2), commits=True)
    table.add_seed(1, b"one")
    table.do(StartMatch("p0", ""))
    list(table.moves_until_over())
    return table


PLAYED = played()
ARCHIVE = pack_match(MATCH_ID, map(RECORDS.encode, PLAYED.history.records(0)))
TEXT = format_game(game_of(PLAYED.history)).encode()
BOM = b"\xef\xbb\xbf"


def with_another_seed() -> bytes:
    """Return the archive with a seed shown that the server did not commit to."""
    archive = json.loads(gzip.decompress(ARCHIVE))
    (shown,) = [each for each in archive["records"] if each["event"] == "seed_revealed"]
    shown["data"]["server_seed"] = "A" * 43 + "="
    return json.dumps(archive).encode()


FORMS: list[tuple[str, Callable[[], bytes], int, str]] = [
    # a file of          content                                           code  verify says
    ("an archive", lambda: ARCHIVE, 0, FAIR),
    ("an archive unpacked", lambda: gzip.decompress(ARCHIVE), 0, FAIR),
    ("one saved anew by an editor", lambda: BOM + gzip.decompress(ARCHIVE), 0, FAIR),
    ("a forged archive", with_another_seed, 4, NOT_FAIR),
    ("an archive of old", (RECORDED / "podkidnoy.json").read_bytes, 5, UNBOUND),
    ("a game as text", lambda: TEXT, 5, NO_SEEDS),
    ("a text saved anew", lambda: BOM + TEXT.replace(b"\n", b"\r\n"), 5, NO_SEEDS),
]


def durak(*arguments: str) -> Result:
    """Run the command in this process: files need no server and no terminal."""
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize(
    ("content", "code", "says"), [row[1:] for row in FORMS], ids=[row[0] for row in FORMS]
)
def test_every_file_that_can_be_replayed_is_proven_or_told_why_not(
    content: Callable[[], bytes], code: int, says: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content())
    replayed = durak("replay", str(file), "--plain")
    assert (replayed.exit_code, replayed.stderr) == (0, "")
    assert replayed.stdout.endswith(". Match finished.\n")
    told = durak("verify", str(file), "--server", "127.0.0.1:1")
    assert (told.exit_code, told.stderr) == (code, "")
    assert told.stdout.startswith(says)
    assert told.stdout.count("\n") == 1


def test_an_archive_is_exported_as_the_text_of_its_game(tmp_path: Path) -> None:
    archive, text = tmp_path / "match.json.gz", tmp_path / "game.durak"
    archive.write_bytes(ARCHIVE)
    written = durak("export", str(archive), "-o", str(text))
    assert (written.exit_code, written.output) == (0, "")
    assert text.read_bytes() == TEXT
    again = durak("export", str(text))
    assert (again.exit_code, again.stdout.encode()) == (0, TEXT)


def test_the_document_kept_of_an_archive_proves_the_same(tmp_path: Path) -> None:
    archive, document = tmp_path / "match.json.gz", tmp_path / "match.json"
    archive.write_bytes(ARCHIVE)
    durak("verify", str(archive), "--save", str(document))
    told = durak("verify", str(document))
    assert (told.exit_code, told.output) == (0, FAIR)


@pytest.mark.parametrize("command", ["replay", "export", "verify"])
def test_a_file_that_is_not_there_is_no_match_either(command: str) -> None:
    told = durak(command, "games/mine.durak", "--server", "127.0.0.1:1")
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr == "There is no file 'games/mine.durak', and no match has such an id.\n"
