"""Who plays, and at which match: what `durak play` settles before the first card."""

import getpass
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path

import grpc
import typer

from durak_client.admission import ANYBODY, Admission
from durak_client.cli import words
from durak_client.cli.connection_options import DEFAULT_SERVER
from durak_client.cli.guests import Guest, guests_file, save_guest, saved_guest
from durak_client.client import Client
from durak_client.errors import NotFound, Unauthenticated
from durak_client.match import Match
from durak_client.matches import Option
from durak_client.patience import Patience

# A person would rather be told than wait.
_PATIENCE = Patience(deadline=timedelta(seconds=4))


class NothingToResume(Exception):
    """The player sits at no unfinished match."""

    def __init__(self) -> None:
        super().__init__(words.NOTHING_TO_RESUME)


@dataclass(frozen=True, slots=True)
class Access:
    """Which server, over what connection, and as whom.

    An empty `name` is that of the guest kept for the server, else the user's. `as_new_guest`
    makes a guest for this once and keeps the other. `ca` is a PEM file of whom to trust with TLS.
    With a `token_file` he is whom the token in it proves, and no guest; once that has expired the
    file is read again.
    """

    server: str
    name: str = ""
    as_new_guest: bool = False
    tls: bool = False
    ca: Path | None = None
    token_file: Path | None = None

    @property
    def elsewhere(self) -> str:
        """What a command has to say besides to go to the same server; empty for the usual one."""
        said = [] if self.server == DEFAULT_SERVER else ["--server", self.server]
        if self.ca is not None:
            said += ["--ca", str(self.ca)]
        elif self.tls:
            said.append("--tls")
        return f" {shlex.join(said)}" if said else ""

    def credentials(self) -> grpc.ChannelCredentials | None:
        """Return what TLS needs, None without it.

        Raises:
            OSError: the file of authorities cannot be read.
        """
        if not self.tls and self.ca is None:
            return None
        return grpc.ssl_channel_credentials(self.ca.read_bytes() if self.ca else None)


@dataclass(frozen=True, slots=True)
class Table:
    """The match to make: house bots of level `bots` on all other seats, nobody if `is_open`.

    If `is_quick` it is whatever match of these rules waits for players, or a new one that does.
    `options` are those of the rules that differ from the preset.
    """

    preset: str = "podkidnoy"
    seats: int = 2
    options: Mapping[str, Option] = field(default_factory=dict)
    bots: str = "lowest"
    is_open: bool = False
    is_quick: bool = False
    admission: Admission = ANYBODY
    """What is asked of those who want a seat."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where to sit: at one's newest match, at that named by its id or code, else at the table.

    The `password` is that of a match named by its id.
    """

    table: Table
    match_or_code: str = ""
    password: str = ""
    resumes: bool = False


async def take_seat(client: Client, seat: Seat) -> Match:
    """Sit down.

    Raises:
        NothingToResume: the player sits at no unfinished match.
    """
    if seat.resumes:
        return await _newest_table(client)
    if seat.match_or_code:
        return await _join_table(client, seat.match_or_code, seat.password)
    return await _make_table(client, seat.table)


async def sign_in(access: Access) -> Client:
    """Return a client for a given token, else for the guest kept for the server, or a new one.

    A guest who cannot be kept may play all the same; a line on standard error says so.

    Raises:
        Refused: the server cannot be reached, or takes no guest of this name.
        OSError: the file of authorities, or of the token, cannot be read.
    """
    credentials = access.credentials()
    if access.token_file:
        read = partial(_token_in, access.token_file)
        return await Client.connect(
            access.server,
            token=read(),
            next_token=read,
            credentials=credentials,
            patience=_PATIENCE,
        )
    file = guests_file()
    saved = None if access.as_new_guest else saved_guest(access.server, file)
    if saved is not None and access.name in {"", saved.name}:
        client = await Client.connect(
            access.server, token=saved.token, credentials=credentials, patience=_PATIENCE
        )
        if await _is_welcome(client):
            return client
        await client.close()
    name = access.name or (saved.name if saved is not None else _user())
    client = await Client.connect(
        access.server, name=name, credentials=credentials, patience=_PATIENCE
    )
    if not access.as_new_guest:
        _keep(access.server, Guest(name, client.token), file)
    return client


async def _make_table(client: Client, table: Table) -> Match:
    """Make a match and fill it with bots, or leave its seats to others; the last one starts it."""
    if table.is_quick:
        return await client.quick_match(
            table.preset,
            table.seats,
            **table.options,  # type: ignore[arg-type]  # as below
        )
    match = await client.create_match(
        table.preset,
        table.seats,
        start_when_full=True,
        admission=table.admission,
        **table.options,  # type: ignore[arg-type]  # no option has the name of another argument
    )
    if not table.is_open:
        for _ in range(table.seats - 1):
            await match.add_bot(table.bots)
    return match


async def _join_table(client: Client, match_or_code: str, password: str) -> Match:
    """Sit down at a public match by its id, or at any by its invite code."""
    try:
        return await client.join(match_or_code, password=password)
    except NotFound:
        return await client.join(invite_code=match_or_code)


async def _newest_table(client: Client) -> Match:
    """Return the newest unfinished match at which the player sits.

    Raises:
        NothingToResume: there is none.
    """
    async for info in client.my_matches():
        return Match(client, info.match_id, info)
    raise NothingToResume


def _keep(server: str, guest: Guest, file: Path) -> None:
    try:
        save_guest(server, guest, file)
    except OSError as problem:
        typer.echo(words.GUEST_NOT_KEPT.format(problem=problem), err=True)


def _token_in(file: Path) -> str:
    return file.read_text("utf-8").strip()


async def _is_welcome(client: Client) -> bool:
    """Return whether the server still takes the client's token."""
    try:
        async for _ in client.my_matches(page_size=1):
            break
    except Unauthenticated:
        return False
    return True


def _user() -> str:
    """Return the user's name on this machine as a player's name."""
    try:
        return getpass.getuser()[:40] or "Guest"
    except (OSError, KeyError, ImportError):
        return "Guest"
