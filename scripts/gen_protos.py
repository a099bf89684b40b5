"""Write the Python code of `protos/` into both packages, or check that it is up to date.

The server and the client each carry a copy, byte for byte the same and with relative imports, so
that either installs without the other and both load in one process.
"""

import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
REQUIREMENTS = ROOT / "scripts" / "protos-requirements.txt"
COMPILER = ROOT / ".tools" / "protos"
COPIES = (
    ROOT / "server" / "durak_server" / "pb",
    ROOT / "clients" / "python" / "src" / "durak_client" / "pb",
)

INIT = '"""Generated from protos/ by scripts/gen_protos.py."""\n'
OWN_IMPORT = re.compile(r"^from (durak[\w.]*) import (?=\w+_pb2)", re.MULTILINE)
ABSOLUTE_IMPORT = re.compile(r"^\s*(?:from|import) durak\b.*$", re.MULTILINE)


def main() -> int:
    """Write the code, or with `--check` say what is out of date and return 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check: bool = parser.parse_args().check
    install_compiler()
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch) / "pb"
        generate(fresh)
        if check:
            return report([path for copy in COPIES for path in differences(fresh, copy)])
        for copy in COPIES:
            replace(copy, fresh)
    return 0


def install_compiler() -> None:
    """Build the compiler's environment, unless it already holds the pinned versions."""
    stamp = COMPILER / "installed.txt"
    if stamp.exists() and filecmp.cmp(stamp, REQUIREMENTS, shallow=False):
        return
    uv = os.environ.get("UV", "uv")
    print(f"installing the protobuf compiler into {COMPILER.relative_to(ROOT)}", flush=True)
    run(uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(COMPILER))
    python = str(COMPILER / "bin" / "python")
    run(uv, "pip", "sync", "--quiet", "--require-hashes", "--python", python, str(REQUIREMENTS))
    shutil.copyfile(REQUIREMENTS, stamp)


def generate(target: Path) -> None:
    """Write the code of every proto below `target`, which must not exist."""
    target.mkdir()
    protos = sorted(PROTOS.rglob("*.proto"))
    services = [path for path in protos if re.search(r"^service ", path.read_text(), re.MULTILINE)]
    protoc(protos, f"--python_out={target}", f"--mypy_out=quiet:{target}")
    if services:
        protoc(services, f"--grpc_python_out={target}", f"--mypy_grpc_out=quiet:{target}")
    for path in sorted(target.rglob("*.py*")):
        path.write_text(with_relative_imports(path.read_text(), path.parent.relative_to(target)))
    for folder in [target, *(path for path in target.rglob("*") if path.is_dir())]:
        (folder / "__init__.py").write_text(INIT)


def protoc(protos: list[Path], *outputs: str) -> None:
    """Run the compiler with its own plugins on `protos`."""
    binaries = COMPILER / "bin"
    path = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    names = [str(proto.relative_to(PROTOS)) for proto in protos]
    command = [str(binaries / "python"), "-m", "grpc_tools.protoc", f"--proto_path={PROTOS}"]
    run(*command, *outputs, *names, env={**os.environ, "PATH": path})


def with_relative_imports(source: str, package: Path) -> str:
    """Return `source`, a file of `package`, with its imports of our own code made relative.

    Raises:
        ValueError: the compiler wrote an import in a form that is not known here.
    """
    to_top = "." * (len(package.parts) + 1)

    def relative(found: re.Match[str]) -> str:
        same = found[1] == ".".join(package.parts)
        return f"from {'.' if same else to_top + found[1]} import "

    result = OWN_IMPORT.sub(relative, source)
    if left := ABSOLUTE_IMPORT.search(result):
        raise ValueError(f"an absolute import is left: {left[0].strip()}")
    return result


def differences(fresh: Path, copy: Path) -> Iterator[Path]:
    """Yield the files of `copy` that are missing, stale or too many."""
    names = files(fresh) | files(copy)
    for name in sorted(names):
        ours, theirs = fresh / name, copy / name
        both = ours.exists() and theirs.exists()
        if not both or not filecmp.cmp(ours, theirs, shallow=False):
            yield theirs


def files(folder: Path) -> set[Path]:
    """Return the source files below `folder`, relative to it."""
    return {path.relative_to(folder) for path in folder.rglob("*.py*") if path.suffix != ".pyc"}


def replace(copy: Path, fresh: Path) -> None:
    """Make `copy` equal to `fresh`; files that are equal already keep their times."""
    for path in list(differences(fresh, copy)):
        source = fresh / path.relative_to(copy)
        if source.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, path)
        else:
            path.unlink()


def report(stale: list[Path]) -> int:
    """Print what is out of date; return the exit status."""
    for path in stale:
        print(f"out of date: {path.relative_to(ROOT)} (run `make protos`)")
    return 1 if stale else 0


def run(*command: str, env: dict[str, str] | None = None) -> None:
    """Run `command`; a failure ends the script, its own output says why."""
    if subprocess.run(command, env=env, check=False).returncode != 0:
        sys.exit(f"failed: {' '.join(command[:4])} ...")


if __name__ == "__main__":
    sys.exit(main())
