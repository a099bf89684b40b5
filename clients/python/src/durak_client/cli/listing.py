"""Matches as lines for people, 80 columns wide, and as JSON for programs."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypedDict

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from durak_client.cli import words
from durak_client.lobby import LobbyUpdate
from durak_client.matches import MatchInfo

_LINE = "{match:<36}  {state:<9}  {rules:<15}  {seats:>5}  {made:>7}"


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
    has_password: bool


def as_json(matches: Sequence[MatchInfo]) -> str:
    """Return the matches as a JSON array."""
    return json.dumps([_row(info) for info in matches], ensure_ascii=False, indent=2)


def as_table(matches: Iterable[MatchInfo], today: datetime | None = None) -> Group:
    """Return the matches, each as a line of facts and the names of its players below.

    Of one made on the day of `today`, now if it is None, the time is told, else the day.
    """
    today = today or datetime.now().astimezone()
    heading = Text(_LINE.format_map({name: name for name in words.MATCH_HEADINGS}), "bold")
    blocks = (block for info in matches for block in _block(info, today))
    return Group(heading, *blocks)


def news_as_lines(update: LobbyUpdate) -> Group:
    """Return what changed: the matches as they are now, and those that are gone."""
    today = datetime.now().astimezone()
    told = [block for info in (*update.added, *update.changed) for block in _block(info, today)]
    gone = [Text(words.MATCH_GONE.format(match=info.match_id)) for info in update.removed]
    return Group(*told, *gone)


def news_as_json(update: LobbyUpdate) -> list[str]:
    """Return what changed as lines of JSON: a `change` and the match as in `Row`."""
    kinds = (("added", update.added), ("changed", update.changed), ("removed", update.removed))
    return [
        json.dumps({"change": change, **_row(info)}, ensure_ascii=False)
        for change, matches in kinds
        for info in matches
    ]


def _block(info: MatchInfo, today: datetime) -> tuple[RenderableType, RenderableType]:
    made = info.created_at.astimezone()
    taken = len(info.seats) - info.free_seats
    line = _LINE.format(
        match=info.match_id,
        state=info.status.word,
        rules=info.preset.word,
        seats=f"{taken}/{len(info.seats)}",
        made=made.strftime("%H:%M" if made.date() == today.date() else "%d %b"),
    )
    names = ", ".join(seat.name or words.FREE_SEAT for seat in info.seats)
    names += words.HAS_PASSWORD if info.has_password else ""
    # As text: in plain strings rich would read a name such as "[/b]" as a command.
    return Text(line), Padding(Text(names), (0, 0, 0, 2), expand=False)


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
        has_password=info.has_password,
    )
