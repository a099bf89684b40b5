"""Install the two packages in every order, each in an environment of its own, and use them.

Needs the package index. Works on a copy of the tree: building leaves files beside the source.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = os.environ.get("UV", "uv")
LEFT_OUT = shutil.ignore_patterns(
    *(".git", ".venv", ".tools", ".*_cache", ".hypothesis", "node_modules", "data", "build"),
    "*.egg-info",
)

SERVER = ("pip", "install", "--quiet", "--editable", ".")
WHEELS = ("pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "wheels", ".", "./clients/python")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
# By their files: of these names the index may know somebody else's.
MADE = [f"wheels/{name}-{VERSION}-py3-none-any.whl" for name in ("durak_server", "durak_client")]
OF_WHEELS = ("pip", "install", "--quiet", *MADE)
CLIENT = ("pip", "install", "--quiet", "./clients/python")
CLIENT_WITH_RULES = ("pip", "install", "--quiet", "./clients/python[local]")

# The oldest version of everything that the two pyproject files name.
LOWEST = ("uv", "pip", "install", "--quiet", "--resolution", "lowest-direct")
LOCKED = ("uv", "sync", "--quiet", "--frozen", "--active")

COMMANDS = {"durak_server": "durak-server", "durak_client": "durak"}

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
for package in sys.argv[1:]:
    generated = importlib.import_module(package + ".pb.durak.v1")
    modules = [module.name for module in pkgutil.iter_modules(generated.__path__)]
    assert modules, package + " carries no generated code"
    for module in modules:
        importlib.import_module(generated.__name__ + "." + module)
"""

# What an operator and a bot author do first, out of the tree; and a refusal, read as one.
PLAY_A_MATCH = """
import asyncio, os, re, subprocess
from durak_client import Client, Refused, play

async def play_at(address):
    async with await Client.connect(address, name="Vasya") as client:
        match = await client.create_match("podkidnoy", seats=2)
        await match.add_bot("lowest")
        await match.start()
        await play(client, match, lambda view: view.legal_moves[0])
        try:
            await match.start()
        except Refused as refused:
            assert refused.reason == "MATCH_OVER", refused
        else:
            raise AssertionError("a match that is over was started")

flags = ["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--data", "played"]
unhurried = {"DURAK_BOT_DELAY_MIN_SECONDS": "0", "DURAK_BOT_DELAY_MAX_SECONDS": "0"}
server = subprocess.Popen(
    ["durak-server", "serve", *flags], stdout=subprocess.PIPE, text=True, env=os.environ | unhurried
)
try:
    address = re.search(r"serves on (\\S+),", server.stdout.readline())[1]
    asyncio.run(play_at(address))
    matches = ["durak", "matches", "--server", address]
    subprocess.run(matches, check=True, stdout=subprocess.DEVNULL)
finally:
    server.terminate()
assert server.wait(30) == 0
subprocess.run(["durak-server", "log", "check", "--data", "played"], check=True)
"""

# Far more than any step takes; one that hangs is a failure that says which it was.
STEP_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Order:
    """Steps of an installation, and the packages that must work after it."""

    name: str
    steps: tuple[tuple[str, ...], ...]
    packages: tuple[str, ...] = ("durak_server", "durak_client")


ORDERS = (
    Order("server alone", (SERVER,), ("durak_server",)),
    Order("client alone", (CLIENT,), ("durak_client",)),
    Order("server, then client", (SERVER, CLIENT_WITH_RULES)),
    Order("client, then server", (CLIENT, SERVER)),
    Order("wheels", (WHEELS, OF_WHEELS)),
    Order("uv sync", (LOCKED,)),
    Order("oldest versions", ((*LOWEST, "--editable", ".", "./clients/python"),)),
)


def main() -> int:
    """Return 0 if every order works; otherwise print what failed and return 1."""
    failed = 0
    for order in ORDERS:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            problem = try_order(order, Path(scratch))
        print(
            f"{order.name:20} {time.monotonic() - started:6.1f} s  {problem or 'works'}", flush=True
        )
        failed += bool(problem)
    return 1 if failed else 0


def try_order(order: Order, scratch: Path) -> str:
    """Return what went wrong, or nothing."""
    tree = shutil.copytree(ROOT, scratch / "tree", ignore=LEFT_OUT)
    environment = scratch / "venv"
    create = ("uv", "venv", "--quiet", "--seed", "--python", sys.executable, str(environment))
    checks = [
        ("python", "-W", "error", "-c", IMPORT_EVERYTHING, *order.packages),
        ("uv", "pip", "check", "--quiet"),
        *((COMMANDS[package], "--version") for package in order.packages),
    ]
    if len(order.packages) == len(COMMANDS):
        checks.append(("python", "-c", PLAY_A_MATCH))
    return (
        run(create, environment, scratch)
        or next((out for step in order.steps if (out := run(step, environment, tree))), "")
        or next((out for check in checks if (out := run(check, environment, scratch))), "")
    )


def run(command: tuple[str, ...], environment: Path, folder: Path) -> str:
    """Run `command` as if `environment` were active; return its output if it fails."""
    binary = UV if command[0] == "uv" else str(environment / "bin" / command[0])
    variables = {name: value for name, value in os.environ.items() if not name.startswith("UV_")}
    variables |= {"VIRTUAL_ENV": str(environment), "UV_PYTHON_DOWNLOADS": "never"}
    variables["PATH"] = os.pathsep.join((str(environment / "bin"), os.environ["PATH"]))
    # A group of its own, ended whole: what a step leaves running would hold its output open.
    with subprocess.Popen(
        [binary, *command[1:]],
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as step:
        try:
            output, _ = step.communicate(timeout=STEP_SECONDS)
            problem = "" if step.returncode == 0 else "failed"
        except subprocess.TimeoutExpired:
            os.killpg(step.pid, signal.SIGKILL)
            output, _ = step.communicate()
            problem = f"did not end in {STEP_SECONDS} s"
        except KeyboardInterrupt:
            os.killpg(step.pid, signal.SIGKILL)
            raise
    return f"{problem}: {' '.join(command)}\n{output}" if problem else ""


if __name__ == "__main__":
    sys.exit(main())
