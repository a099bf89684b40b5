"""Checking that deals were fair: `durak verify`, of a match at a server or in a file."""

from pathlib import Path

import typer

from durak_client import wire_events
from durak_client.cli.opened_file import file_named
from durak_client.cli.proof_document import Document, document_in
from durak_client.cli.proof_words import GAME_PROVES_NOTHING, NO_DEALS, proof_in_words
from durak_client.cli.seating import Access, sign_in
from durak_client.client import Client
from durak_client.events import Event
from durak_client.pb.durak.v1 import event_pb2, replay_service_pb2
from durak_client.proofs import Proof, Verdict, names_by_seat, proofs

BROKEN, UNPROVEN = 4, 5


async def verify(access: Access, match_or_file: str, save: Path | None) -> None:
    """Tell of each deal whether it was fair; `save` is where the document shall be kept.

    Raises:
        typer.Exit: a deal is not as it was committed to, or cannot be proven.
        ValueError, DurakError: the file holds no events of a match, or not all.
        Refused: the server has no such match, or does not show it.
    """
    document = _document_in(match_or_file)
    if document is None:
        async with await sign_in(access) as client:
            document = await _document_of(client, match_or_file)
    if save is not None:
        _write(document, save)
    events = [wire_events.event(event) for event in document.events]
    found = proofs(document.match_id, events)
    for line in _report(found, events):
        typer.echo(line)
    if code := _exit_code(found):
        raise typer.Exit(code)


def _document_in(match_or_file: str) -> Document | None:
    """Return the document in a file, None if it may be the id of a server's match.

    Raises:
        NoSuchFile: it is neither.
        typer.Exit: the file can prove nothing.
    """
    path = file_named(match_or_file)
    if path is None:
        return None
    document = document_in(path)
    if document is None:
        typer.echo(GAME_PROVES_NOTHING)
        raise typer.Exit(UNPROVEN)
    return document


def _write(document: Document, file: Path) -> None:
    file.write_text(document.as_json(), encoding="utf-8")


async def _document_of(client: Client, match_id: str) -> Document:
    """Return the events of a match as far as it has got."""
    events: list[event_pb2.Event] = []
    while True:
        page = await client.calls.call(
            lambda stubs: stubs.replaying.GetReplay,
            replay_service_pb2.GetReplayRequest(match_id=match_id, after_sequence=len(events)),
            match_id,
        )
        events.extend(page.events)
        if not page.events or len(events) >= page.info.sequence:
            return Document(match_id, tuple(events))


def _report(found: tuple[Proof, ...], events: list[Event]) -> list[str]:
    names = names_by_seat(events)
    return [proof_in_words(proof, names) for proof in found] or [NO_DEALS]


def _exit_code(found: tuple[Proof, ...]) -> int:
    """Return 0 if every deal that is over is proven."""
    verdicts = {proof.verdict for proof in found}
    if Verdict.BROKEN in verdicts:
        return BROKEN
    return UNPROVEN if Verdict.UNBOUND in verdicts else 0
