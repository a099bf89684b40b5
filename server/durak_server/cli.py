"""The command line: `durak-server serve`, `config`, `check-cases`, and commands kept elsewhere."""

import asyncio
import contextlib
import gc
import shutil
import signal
import sys
from pathlib import Path
from typing import Annotated, Final

import typer
import yaml
from pydantic import SecretStr

from durak_server.admin_commands import admin_commands
from durak_server.api import CannotListen, CertificateUnusable, KeysMissing, SecretNotUsable
from durak_server.app import DurakServer, serving, version
from durak_server.casefile import read_cases
from durak_server.command_settings import Data, fail, settings_with
from durak_server.config import AuthMode, LogFormat, LogLevel, Settings, StoreKind
from durak_server.observe.logs import set_up_logging
from durak_server.observe.spans import TracingMissing
from durak_server.open_files import raise_open_files
from durak_server.operator_token import admin_token_command
from durak_server.rules import run_cases
from durak_server.simulate_command import simulate_command
from durak_server.store import StoreError
from durak_server.store_commands import backup_command, log_commands, restore_command

_EVERYWHERE: Final = frozenset({"0.0.0.0", "[::]"})
_MASK: Final = "********"
_NO_START: Final = (
    CannotListen,
    CertificateUnusable,
    KeysMissing,
    SecretNotUsable,
    StoreError,
    TracingMissing,
)
"""Why a server does not start, in words for the operator."""

app = typer.Typer(
    help="Hosts matches of durak, the Russian card game, over gRPC.\n\n"
    "Example: durak-server serve --data ./data",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,  # they would print what variables hold
)


app.add_typer(log_commands, name="log")
app.add_typer(admin_commands, name="admin")
app.command("admin-token")(admin_token_command)
app.command("backup")(backup_command)
app.command("restore")(restore_command)
app.command("simulate")(simulate_command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"durak-server {version()}")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


_Listen = Annotated[str | None, typer.Option(help="Where the API listens. [127.0.0.1:50051]")]
_MetricsListen = Annotated[
    str | None, typer.Option(help='Where /metrics is; "" for nowhere. [127.0.0.1:9090]')
]
_AdminListen = Annotated[
    str | None, typer.Option(help="Where the operator's service is. [nowhere]")
]
_Store = Annotated[StoreKind | None, typer.Option(help="Where matches are kept. [sqlite]")]
_Insecure = Annotated[
    bool | None, typer.Option("--insecure", help="Serve other than loopback without TLS.")
]
_Certificate = Annotated[Path | None, typer.Option(readable=False, help="Certificates, PEM.")]
_Key = Annotated[Path | None, typer.Option(readable=False, help="Their key, PEM.")]
_Format = Annotated[LogFormat | None, typer.Option(help="How log lines look. [auto]")]
_Level = Annotated[LogLevel | None, typer.Option(help="Least important lines. [info]")]


@app.command()
def serve(  # noqa: PLR0913  (each flag is an argument: so typer has it)
    *,
    listen: _Listen = None,
    metrics_listen: _MetricsListen = None,
    admin_listen: _AdminListen = None,
    data: Data = None,
    store: _Store = None,
    insecure: _Insecure = None,
    tls_certificate: _Certificate = None,
    tls_key: _Key = None,
    log_format: _Format = None,
    log_level: _Level = None,
) -> None:
    """Serve matches until SIGTERM or Ctrl-C.

    Every setting, these and more, is also an environment variable: see `durak-server config`.

    Example: durak-server serve --listen 127.0.0.1:50051 --data ./data
    """
    settings = settings_with(
        listen=listen,
        metrics_listen=metrics_listen,
        admin_listen=admin_listen,
        data=data,
        store=store,
        insecure=insecure,
        tls_certificate=tls_certificate,
        tls_key=tls_key,
        log_format=log_format,
        log_level=log_level,
    )
    _set_up_logging(settings)
    raise_open_files()
    try:
        asyncio.run(_serve(settings))
    except _NO_START as error:
        fail(str(error))
    except BrokenPipeError:
        raise  # whoever read the greeting has gone; typer ends without a word
    except OSError as error:
        fail(f"{error.filename or settings.data}: {error.strerror or error}")


@app.command()
def config() -> None:
    """Print the settings in force, as environment variables; secrets are masked.

    Example: DURAK_STORE=memory durak-server config
    """
    settings = settings_with()
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        typer.echo(f"# {field.description}")
        typer.echo(f"DURAK_{name.upper()}={_shown(value)}")


@app.command("check-cases")
def check_cases(
    file: Annotated[Path, typer.Argument(readable=False, help="A YAML file of worked cases.")],
) -> None:
    """Play the worked cases of a file and print which of them fail.

    Example: durak-server check-cases tests/rules/cases.yaml
    """
    try:
        results = run_cases(read_cases(file))
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        fail(f"{file}: {' '.join(str(error).split())}")
    failed = [result for result in results if result.failures]
    for result in failed:
        for failure in result.failures:
            typer.echo(f"{result.id}: {failure}")
    typer.echo(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    raise typer.Exit(1 if failed else 0)


def _set_up_logging(settings: Settings) -> None:
    as_json = settings.log_format is LogFormat.JSON or (
        settings.log_format is LogFormat.AUTO and not sys.stderr.isatty()
    )
    set_up_logging(settings.log_level.value, as_json=as_json)


async def _serve(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with serving(settings) as server:
        # What was imported lives as long as the process: nobody has to look through it again.
        gc.freeze()
        _greet(server)
        await stop.wait()
    # The process is about to end: to look through its memory would keep the next one waiting.
    gc.freeze()


def _greet(server: DurakServer) -> None:
    settings = server.settings
    address = f"{settings.listen.rpartition(':')[0]}:{server.port}"
    where = "in memory" if settings.store is StoreKind.MEMORY else f"in {settings.data}"
    lines = [f"durak-server {version()} serves on {address}, matches are kept {where}"]
    if server.metrics_port:
        host = settings.metrics_listen.rpartition(":")[0]
        lines.append(f"Metrics and health: http://{host}:{server.metrics_port}/metrics /readyz")
    if server.admin_port:
        host = settings.admin_listen.rpartition(":")[0]
        lines.append(f"The operator's own service: {host}:{server.admin_port}")
    for line in [*lines, *_ways_in(settings, server.port)]:
        typer.echo(line)
    sys.stdout.flush()


def _ways_in(settings: Settings, port: int) -> tuple[str, str]:
    """Return how a player and a bot on this machine connect, each in a line."""
    host = settings.listen.rpartition(":")[0]
    address = f"{'localhost' if host in _EVERYWHERE else host}:{port}"
    flag = "--tls " if settings.tls_certificate else ""
    credentials = ", credentials=grpc.ssl_channel_credentials()" if settings.tls_certificate else ""
    has_guests = settings.auth is AuthMode.GUEST
    token = "" if has_guests else " --token-file FILE"
    who = 'name="Vasya"' if has_guests else "token=TOKEN"
    connect = f'Client.connect("{address}", {who}{credentials})'
    return (
        f"Play in a second terminal:   {_durak()} play {flag}--server {address}{token}",
        f"Write a bot in Python:       {connect}  (durak-client)",
    )


def _durak() -> str:
    """Return how the command `durak` is called here: by its path where the shell finds none."""
    beside = Path(sys.executable).with_name("durak")
    if shutil.which("durak") or not beside.exists():
        return "durak"
    here = Path.cwd()
    return str(beside.relative_to(here) if beside.is_relative_to(here) else beside)


def _shown(value: object) -> str:
    if isinstance(value, SecretStr):
        return _MASK
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def main() -> None:
    """Run the command."""
    # A second Ctrl-C while draining is no reason for a traceback.
    with contextlib.suppress(KeyboardInterrupt):
        app()
