"""`durak-server admin ...`: what the operator asks of a running server."""

import asyncio
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from durak_server.api import AdminCallFailed, AdminTarget, AdminTls, Json, admin_call
from durak_server.command_settings import Data, fail, settings_with
from durak_server.operator_token import own_token

_LIFETIME: Final = timedelta(minutes=5)
_MOST_HOURS: Final = 876_000
_HUNG_UP: Final = re.compile(r"Socket closed|Connection reset by peer")
"""What gRPC's own message has in it; no promise of theirs, so nothing but a hint hangs on it."""
_MAY_WANT_TLS: Final = (
    "\nIt hangs up at once. It may want TLS (--tls, or --ca FILE with whom to trust), or a"
    " certificate of yours (--certificate and --key)."
)

admin_commands = typer.Typer(
    help="Look at the matches of a running server, and act on them.\n\n"
    "Example: durak-server admin --address 127.0.0.1:50052 --name anna list",
    no_args_is_help=True,
    rich_markup_mode=None,
)
_Match = Annotated[str, typer.Argument(help="The match's id.")]
_Player = Annotated[str, typer.Argument(help="The player's id.")]
_Text = Annotated[str, typer.Option(help="What players are told, at most 200 characters.")]


@dataclass(frozen=True, slots=True)
class _Way:
    """How the server is reached, as the flags before the command say."""

    address: str
    name: str
    token_file: Path | None
    tls: bool
    ca: Path | None
    tls_name: str
    certificate: Path | None
    key: Path | None
    data: Path | None


@admin_commands.callback()
def _way(  # noqa: PLR0913  (each flag is an argument: so typer has it)
    context: typer.Context,
    *,
    address: Annotated[str, typer.Option(help="HOST:PORT. [DURAK_ADMIN_LISTEN]")] = "",
    name: Annotated[str, typer.Option(help="Who you are; for the audit log.")] = "operator",
    token_file: Annotated[
        Path | None,
        typer.Option(readable=False, help="Your token; unset: signed with the secret in the data."),
    ] = None,
    tls: Annotated[
        bool, typer.Option("--tls", help="Use TLS; so do --ca, --tls-name and --certificate.")
    ] = False,
    ca: Annotated[
        Path | None,
        typer.Option(
            readable=False, help="Who signed the certificate, PEM; unset: whom all trust."
        ),
    ] = None,
    tls_name: Annotated[
        str, typer.Option(help="The certificate's name, if it is not the address.")
    ] = "",
    certificate: Annotated[
        Path | None,
        typer.Option(readable=False, help="If clients must show one: your certificate, PEM."),
    ] = None,
    key: Annotated[
        Path | None, typer.Option(readable=False, help="The key of your certificate, PEM.")
    ] = None,
    data: Data = None,
) -> None:
    context.obj = _Way(address, name, token_file, tls, ca, tls_name, certificate, key, data)


@admin_commands.command("list")
def list_matches(
    context: typer.Context,
    player: Annotated[str, typer.Option(help="Only those at which this player sits.")] = "",
    *,
    over: Annotated[bool, typer.Option("--over", help="Those that are over, too.")] = False,
) -> None:
    """List matches, unlisted ones too, newest first.

    Example: durak-server admin list --player 1f0c2a
    """
    statuses = ["OPEN", "PLAYING", "FINISHED", "ABANDONED"] if over else []
    filter_ = {"statuses": [f"MATCH_STATUS_{status}" for status in statuses]}
    asked = {"filter": filter_, "player_id": player, "page_size": 100}
    for info in _all_pages(context, "ListAllMatches", "matches", asked):
        status = info["status"].removeprefix("MATCH_STATUS_").lower()
        names = ", ".join(seat["name"] for seat in info["seats"] if seat["name"])
        typer.echo(f"{info['match_id']}  {status:9}  {info['updated_at']}  {names}")


@admin_commands.command()
def inspect(
    context: typer.Context,
    match: _Match,
    after: Annotated[int, typer.Option(min=0, help="Only events after this one.")] = 0,
    *,
    hands: Annotated[
        bool, typer.Option("--hands", help="Show hidden cards; is written to the audit log.")
    ] = False,
) -> None:
    """Print a match, its table and its events as JSON.

    Example: durak-server admin inspect MATCH --after 17
    """
    asked = {"match_id": match, "after_sequence": after, "open_cards": hands}
    answer = _call(context, "InspectMatch", asked, hands=hands)
    typer.echo(json.dumps(answer, ensure_ascii=False, indent=2))


@admin_commands.command()
def terminate(context: typer.Context, match: _Match, text: _Text = "") -> None:
    """End a match at once; its players see the text.

    Example: durak-server admin terminate MATCH --text "The server moves to another house"
    """
    answer = _call(context, "TerminateMatch", {"match_id": match, "text": text})
    typer.echo(f"ended with event {answer['sequence']}")


@admin_commands.command()
def ban(
    context: typer.Context,
    player: _Player,
    text: _Text = "",
    hours: Annotated[float | None, typer.Option(help="For how long; unset: for good.")] = None,
) -> None:
    """Keep a player out: calls refused, streams ended, seats given up.

    An id that was never seen here is banned, too, and that is said.

    Example: durak-server admin ban PLAYER --hours 24 --text "Be kind to the others"
    """
    asked: Json = {"player_id": player, "text": text}
    if hours is not None:
        asked["duration"] = _duration(hours)
    answer = _call(context, "BanPlayer", asked)
    streams, seats = answer["streams_ended"], answer["seats_given_up"]
    typer.echo(f"banned; {streams} streams ended, {seats} seats given up")
    if not answer["is_known"]:
        typer.echo("nobody of this id is known here, look whether it is right", err=True)


@admin_commands.command()
def unban(context: typer.Context, player: _Player) -> None:
    """Let a player in again.

    Example: durak-server admin unban PLAYER
    """
    answer = _call(context, "UnbanPlayer", {"player_id": player})
    typer.echo("no longer banned" if answer["was_banned"] else "was not banned")


@admin_commands.command()
def bans(context: typer.Context) -> None:
    """List who is kept out.

    Example: durak-server admin bans
    """
    for one in _all_pages(context, "ListBans", "bans", {}):
        until = one.get("until", "for good")
        typer.echo(f"{one['player_id']}  {until}  by {one['banned_by']}  {one['text']}".rstrip())


@admin_commands.command()
def drain(context: typer.Context) -> None:
    """Let health checks fail and refuse new matches, while the server serves on.

    Example: durak-server admin drain
    """
    _call(context, "Drain", {})
    typer.echo("draining; SIGTERM ends the server, and only a restart takes this back")


@admin_commands.command()
def limits(
    context: typer.Context,
    changes: Annotated[
        list[str] | None, typer.Argument(help="NAME=RATE a second, until the next start.")
    ] = None,
) -> None:
    """Print the rates, or change them.

    Example: durak-server admin limits calls_per_second=20 guests_per_second=1
    """
    if changes:
        answer = _call(context, "SetLimits", {"changes": [_change(text) for text in changes]})
    else:
        answer = _call(context, "GetLimits", {})
    for one in answer["limits"]:
        usual = f"settings: {one['configured_per_second']:g}"
        rate = f"{one['per_second']:g} a second, {one['burst']:g} at once"
        typer.echo(f"{one['name']}  {rate}  ({usual})")


def _duration(hours: float) -> str:
    if not 0 < hours <= _MOST_HOURS:
        fail(f"--hours must be more than 0, at most {_MOST_HOURS}, not {hours:g}")
    return f"{round(hours * 3600)}s"


def _change(text: str) -> Json:
    name, _, rate = text.partition("=")
    try:
        per_second = float(rate)
    except ValueError:
        per_second = math.nan
    if not math.isfinite(per_second):
        fail(f"{text!r} is not NAME=RATE")
    return {"name": name, "per_second": per_second}


def _all_pages(context: typer.Context, method: str, field: str, asked: Json) -> Iterator[Json]:
    token = ""
    while True:
        answer = _call(context, method, asked | {"page_token": token})
        yield from answer[field]
        token = answer["next_page_token"]
        if not token:
            return


def _call(
    context: typer.Context,
    method: str,
    fields: dict[str, Any],  # Any: each field has a type of its own
    *,
    hands: bool = False,
) -> Json:
    try:
        return asyncio.run(admin_call(_target(context.obj, hands=hands), method, fields))
    except AdminCallFailed as error:
        fail(f"{error}{_MAY_WANT_TLS if _HUNG_UP.search(str(error)) else ''}")


def _target(way: _Way, *, hands: bool) -> AdminTarget:
    settings = settings_with(data=way.data)
    address = way.address or settings.admin_listen
    if not address:
        fail("where is the server? Give --address HOST:PORT, or set DURAK_ADMIN_LISTEN")
    try:
        if way.token_file:
            token = way.token_file.read_text("utf-8").strip()
        else:
            token = own_token(settings, way.name, _LIFETIME, hands=hands)
        return AdminTarget(address, token, _tls(way, is_on=settings.tls_certificate is not None))
    except OSError as error:
        fail(f"cannot read {error.filename}: {error.strerror}")
    except UnicodeDecodeError:
        fail(f"{way.token_file} is not UTF-8 text")


def _tls(way: _Way, *, is_on: bool) -> AdminTls | None:
    if (way.certificate is None) != (way.key is None):
        fail("--certificate and --key go together")
    if not (is_on or way.tls or way.ca or way.tls_name or way.certificate):
        return None
    return AdminTls(_read(way.ca), way.tls_name, _read(way.certificate), _read(way.key))


def _read(file: Path | None) -> bytes | None:
    return file.read_bytes() if file else None
