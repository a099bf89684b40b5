"""Matches as a table for people and as JSON for programs."""

import json
from collections.abc import Sequence
from typing import TypedDict

from rich.table import Table
from rich.text import Text

from durak_client.cli import words
from durak_client.matches import MatchInfo


class Row(TypedDict):
    """A match as `durak matches --json` prints it; only added to, never changed."""

    match_id: str
    status: str
    preset: str
    seats: int
    free_seats: int
    players: list[str]
    deal: int
    invite_code: str
    created_at: str


def as_json(matches: Sequence[MatchInfo]) -> str:
    """Return the matches as a JSON array."""
    return json.dumps([_row(info) for info in matches], ensure_ascii=False, indent=2)


def as_table(matches: Sequence[MatchInfo]) -> Table:
    """Return the matches as a table, one a row."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("match", no_wrap=True)
    for heading in ("state", "rules", "players", "made"):
        table.add_column(heading, overflow="fold")
    for info in matches:
        names = [seat.name or words.FREE_SEAT for seat in info.seats]
        made = info.created_at.astimezone().strftime("%d %b %H:%M")
        # As text: in plain strings rich would read a name such as "[/b]" as a command.
        cells = (info.match_id, info.status.word, info.preset.word, ", ".join(names), made)
        table.add_row(*map(Text, cells))
    return table


def _row(info: MatchInfo) -> Row:
    return Row(
        match_id=info.match_id,
        status=info.status.name,
        preset=info.preset.name,
        seats=len(info.seats),
        free_seats=info.free_seats,
        players=[seat.name for seat in info.seats if not seat.is_free],
        deal=info.deal,
        invite_code=info.invite_code,
        created_at=info.created_at.isoformat(),
    )
