"""The `durak` command. What is heavy is imported by the command that needs it."""

import os
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from durak_client.cli.connection_options import (
    DEFAULT_SERVER,
    Ca,
    Name,
    NewGuest,
    Server,
    Tls,
    TokenFile,
)
from durak_client.cli.seat_options import InviteMinutes, Reserve, ReserveForCode, admission
from durak_client.cli.table_options import PRESETS, BotName, PresetName

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_RULE = "An option that differs from the preset, such as throw_in=NEIGHBOURS; may be repeated."

_TO_REPLAY = "A match's id, an archived match, or a game as text."

Plain = Annotated[bool, typer.Option("--plain", help="Line by line: for pipes and screen readers.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"durak {version('durak-client')}")
        raise typer.Exit


@app.callback(epilog="Example: durak play --preset perevodnoy --seats 3")
def durak(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Play durak in a terminal, against house bots or friends."""
    # What gRPC has to say of a connection is said by us, in one line.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


@app.command(epilog="Example: durak play --preset perevodnoy --seats 3 --bots random")
def play(  # noqa: PLR0913  # one parameter an option
    *,
    server: Server = DEFAULT_SERVER,
    preset: Annotated[
        PresetName, typer.Option(metavar="NAME", help=PRESETS)
    ] = PresetName.PODKIDNOY,
    seats: Annotated[int, typer.Option(min=2, max=6, help="Players, you included.")] = 2,
    deck: Annotated[int, typer.Option(help="Cards in the deck: 24, 36, 52 or 54.")] = 36,
    rule: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help=_RULE)] = None,
    bots: Annotated[BotName, typer.Option(help="How the others play.")] = BotName.LOWEST,
    wait: Annotated[
        bool, typer.Option("--open", "--wait", help="No bots: wait for friends to join.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="No bots: whoever else wants the same rules.")
    ] = False,
    join: Annotated[str, typer.Option(metavar="MATCH|CODE", help="Join this match.")] = "",
    ready: Annotated[
        bool, typer.Option("--ready", help="With --open: start once everybody typed ready.")
    ] = False,
    password: Annotated[
        str, typer.Option(help="Of the match that you join, or open for friends.")
    ] = "",
    reserve: Reserve = None,
    reserve_for_code: ReserveForCode = 0,
    invite_minutes: InviteMinutes = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with your last match.")] = False,
    name: Name = "",
    guest: NewGuest = False,
    plain: Plain = False,
    tls: Tls = False,
    ca: Ca = None,
    token_file: TokenFile = None,
) -> None:
    """Play a match: against house bots, with friends, or one you left off."""
    from durak_client.cli.playing import play_match  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.running import run  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.seating import Access, Seat, Table  # noqa: PLC0415  # keeps --help quick
    from durak_client.rule_options import parse_option  # noqa: PLC0415  # keeps --help quick

    if sum((wait, quick, bool(join), resume)) > 1:
        raise typer.BadParameter("--open, --quick, --join and --resume exclude each other")
    if not wait and (reserve or reserve_for_code or invite_minutes):
        raise typer.BadParameter("--reserve, --reserve-for-code and --invite-minutes want --open")
    access = Access(server, name, guest, tls, ca, token_file)
    try:
        options = {"deck": deck, **dict(map(parse_option, rule or ()))}
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--rule") from None
    seats = int(options.pop("seats", seats))
    asked = admission(
        password,
        ready=ready,
        reserve=reserve,
        reserve_for_code=reserve_for_code,
        invite_minutes=invite_minutes,
    )
    table = Table(
        preset.value, seats, options, bots.value, is_open=wait, is_quick=quick, admission=asked
    )
    seat = Seat(table, join, password, resume)
    run(play_match(access, seat, plain=plain), server, join)


@app.command(epilog="Example: durak watch 01a0b1c2-d3e4-7f56-8a9b-0c1d2e3f4a5b")
def watch(
    match: Annotated[str, typer.Argument(help="The match's id; see `durak matches`.")],
    server: Server = DEFAULT_SERVER,
    plain: Plain = False,
    tls: Tls = False,
    ca: Ca = None,
    token_file: TokenFile = None,
) -> None:
    """Watch a match as it is played."""
    from durak_client.cli.playing import watch_match  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.running import run  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.seating import Access  # noqa: PLC0415  # keeps --help quick

    # As somebody new: who plays at the match himself must not see or move his cards here.
    access = Access(server, as_new_guest=True, tls=tls, ca=ca, token_file=token_file)
    run(watch_match(access, match, plain=plain), server, match)


@app.command(epilog="Example: durak matches --preset podkidnoy --json")
def matches(  # noqa: PLR0913  # one parameter an option
    *,
    server: Server = DEFAULT_SERVER,
    mine: Annotated[bool, typer.Option("--mine", help="Those at which you sit.")] = False,
    preset: Annotated[PresetName | None, typer.Option(metavar="NAME", help=PRESETS)] = None,
    free: Annotated[bool, typer.Option("--free", help="Those with a free seat.")] = False,
    no_password: Annotated[
        bool, typer.Option("--no-password", help="Those that anybody may join.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on and tell what changes, until interrupted.")
    ] = False,
    over: Annotated[
        bool, typer.Option("--over", help="Those that are over: for replay, export and verify.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
    tls: Tls = False,
    ca: Ca = None,
    token_file: TokenFile = None,
) -> None:
    """List matches, newest first: those that are open or being played, or are over."""
    from durak_client.cli.lobby import Wanted, list_matches, watch_matches  # noqa: PLC0415  # see above
    from durak_client.cli.running import run  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.seating import Access  # noqa: PLC0415  # keeps --help quick

    if watch and (mine or over):
        raise typer.BadParameter("--watch excludes --mine and --over")
    wanted = Wanted(preset.value if preset is not None else "", free, no_password, over)
    access = Access(server, tls=tls, ca=ca, token_file=token_file)
    if watch:
        run(watch_matches(access, wanted, json=json), server)
    else:
        run(list_matches(access, wanted, mine=mine, json=json), server)


@app.command(epilog="Example: durak replay 01a0b1c2-d3e4-7f56-8a9b-0c1d2e3f4a5b")
def replay(
    what: Annotated[str, typer.Argument(metavar="MATCH|FILE", help=_TO_REPLAY)],
    server: Server = DEFAULT_SERVER,
    seat: Annotated[
        int | None, typer.Option(min=1, max=6, help="From this seat; else with open cards.")
    ] = None,
    plain: Plain = False,
    tls: Tls = False,
    ca: Ca = None,
    token_file: TokenFile = None,
) -> None:
    """Step through a match: forward, back, bout by bout, from any seat."""
    from durak_client.cli.replaying import replay_match  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.running import run  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.seating import Access  # noqa: PLC0415  # keeps --help quick

    access = Access(server, tls=tls, ca=ca, token_file=token_file)
    number = None if seat is None else seat - 1
    run(replay_match(access, what, seat=number, plain=plain), server, what)


@app.command(epilog="Example: durak render game.durak --at 40 -o table.svg")
def render(  # noqa: PLR0913  # one parameter an option
    what: Annotated[str, typer.Argument(metavar="MATCH|FILE", help=_TO_REPLAY)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The SVG file to write.")],
    *,
    at: Annotated[int, typer.Option(min=0, help="After this event; 0: the last.")] = 0,
    seat: Annotated[
        int | None, typer.Option(min=1, max=6, help="From this seat; else with open cards.")
    ] = None,
    deal: Annotated[int | None, typer.Option(min=1, help="This whole deal instead.")] = None,
    server: Server = DEFAULT_SERVER,
    tls: Tls = False,
    ca: Ca = None,
    token_file: TokenFile = None,
) -> None:
    """Draw the table at one moment, or a whole deal, as a picture."""
    from durak_client.cli.rendering import (  # noqa: PLC0415  # keeps --help quick
        render_deal,
        render_table,
    )
    from durak_client.cli.running import run  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.seating import Access  # noqa: PLC0415  # keeps --help quick

    access = Access(server, tls=tls, ca=ca, token_file=token_file)
    if deal is not None:
        run(render_deal(access, what, deal, output), server, what)
        return
    number = None if seat is None else seat - 1
    run(render_table(access, what, at, seat=number, output=output), server, what)


@app.command(epilog="Example: durak export 01a0b1c2-d3e4-7f56-8a9b-0c1d2e3f4a5b -o game.durak")
def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="MATCH|FILE", help="The id of a match that is over, or its archive."
        ),
    ],
    server: Server = DEFAULT_SERVER,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; else standard output.")
    ] = None,
    tls: Tls = False,
    ca: Ca = None,
    token_file: TokenFile = None,
) -> None:
    """Write a match as text that people read and `durak replay` opens."""
    from durak_client.cli.replaying import export_match  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.running import run  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.seating import Access  # noqa: PLC0415  # keeps --help quick

    run(
        export_match(Access(server, tls=tls, ca=ca, token_file=token_file), what, output),
        server,
        what,
    )


@app.command(epilog="Example: durak verify 01a0b1c2-d3e4-7f56-8a9b-0c1d2e3f4a5b --save match.json")
def verify(
    match: Annotated[
        str,
        typer.Argument(
            metavar="MATCH|FILE",
            help="A match's id, an archived match, or a document saved before.",
        ),
    ],
    server: Server = DEFAULT_SERVER,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the document that proves it.")
    ] = None,
    tls: Tls = False,
    ca: Ca = None,
    token_file: TokenFile = None,
) -> None:
    """Check that each deal of a match was the one the server was bound to; 0 if so.

    A FILE is checked without a server; a game as text leaves out the proof.

    Exit code 4: a deal was not fair; 5: one cannot be proven.
    """
    from durak_client.cli.running import run  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.seating import Access  # noqa: PLC0415  # keeps --help quick
    from durak_client.cli.verifying import verify as check  # noqa: PLC0415  # keeps --help quick

    run(check(Access(server, tls=tls, ca=ca, token_file=token_file), match, save), server, match)
