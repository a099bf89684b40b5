"""Bring what the tests need beside Python: tmux, Node.js, and the Node clients' packages.

What is missing is installed when this runs as root on Debian or a relative of it. Anywhere else
the script says in one line what is missing, and fails: no test is skipped in silence.
"""

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_CLIENTS = ROOT / "tests" / "foreign"

# command: Debian's package
PROGRAMS = {"tmux": "tmux", "node": "nodejs", "npm": "npm"}


def main() -> int:
    """Return 0 once everything is there."""
    missing = [package for name, package in PROGRAMS.items() if not shutil.which(name)]
    if missing and not (os.geteuid() == 0 and shutil.which("apt-get")):
        print(f"the tests need {', '.join(missing)}: install them, then run this again")
        return 1
    if missing:
        apt_get("update")
        apt_get("install", "--yes", "--no-install-recommends", *missing)
    for lock in sorted(NODE_CLIENTS.glob("*/package-lock.json")):
        install_node_packages(lock)
    return 0


def apt_get(*arguments: str) -> None:
    """Run apt-get; its failure ends the script."""
    print(f"apt-get {' '.join(arguments)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
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


if __name__ == "__main__":
    sys.exit(main())
