"""Bring what the tests need beside Python: programs, the Node packages, tools for operations.

What is missing is installed when this runs as root on Debian or a relative of it. Anywhere else
the script says in one line what is missing, and fails: no test is skipped in silence.
"""

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_PACKAGES = ("tests/foreign/*/package-lock.json", "tests/operations/*/package-lock.json")
REQUIREMENTS = ROOT / "scripts" / "operations-requirements.txt"
OPERATIONS_TOOLS = ROOT / ".tools" / "operations"

# command: Debian's package
PROGRAMS = {
    "cc": "gcc",
    "gencat": "libc6-dev",  # the headers, which have no command of their own
    "tmux": "tmux",
    "node": "nodejs",
    "npm": "npm",
    "prometheus": "prometheus",
    "promtool": "prometheus",
}
CONTAINER_PROGRAMS = {"buildah": "buildah", "debootstrap": "debootstrap"}


def main() -> int:
    """Return 0 once everything is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--container", action="store_true", help="what `make test-container` needs")
    for_container: bool = parser.parse_args().container
    if not install_programs(CONTAINER_PROGRAMS if for_container else PROGRAMS):
        return 1
    if not for_container:
        for pattern in NODE_PACKAGES:
            for lock in sorted(ROOT.glob(pattern)):
                install_node_packages(lock)
        install_operations_tools()
    return 0


def install_programs(programs: Mapping[str, str]) -> bool:
    """Install the packages of those commands that are missing; False if that is not possible."""
    missing = sorted({package for name, package in programs.items() if not shutil.which(name)})
    if missing and not (os.geteuid() == 0 and shutil.which("apt-get")):
        print(f"the tests need {', '.join(missing)}: install them, then run this again")
        return False
    if missing:
        apt_get("update")
        apt_get("install", "--yes", "--no-install-recommends", *missing)
    return True


def apt_get(*arguments: str) -> None:
    """Run apt-get; its failure ends the script."""
    print(f"apt-get {' '.join(arguments)}", flush=True)
    # In run level 1 no service is started: Debian's Prometheus would take the server's port 9090.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    subprocess.run(["apt-get", "-qq", *arguments], check=True, env=environment)


def install_node_packages(lock: Path) -> None:
    """Install what `lock` pins beside it, unless that was done before."""
    stamp = lock.parent / "node_modules" / ".installed-lock.json"
    if stamp.exists() and filecmp.cmp(stamp, lock, shallow=False):
        return
    print(f"npm ci in {lock.parent.relative_to(ROOT)}", flush=True)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=lock.parent, check=True)
    shutil.copyfile(lock, stamp)


def install_operations_tools() -> None:
    """Install kubectl, checkov and the like, unless the pinned versions are there already."""
    stamp = OPERATIONS_TOOLS / "installed.txt"
    if stamp.exists() and filecmp.cmp(stamp, REQUIREMENTS, shallow=False):
        return
    uv = os.environ.get("UV", "uv")
    print(f"installing checkov and others into {OPERATIONS_TOOLS.relative_to(ROOT)}", flush=True)
    create = [uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(OPERATIONS_TOOLS)]
    subprocess.run(create, check=True)
    python = str(OPERATIONS_TOOLS / "bin" / "python")
    sync = [uv, "pip", "sync", "--quiet", "--require-hashes", "--python", python]
    subprocess.run([*sync, str(REQUIREMENTS)], check=True)
    shutil.copyfile(REQUIREMENTS, stamp)


if __name__ == "__main__":
    sys.exit(main())
