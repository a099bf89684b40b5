"""Check that the contract in `protos/` only adds to the one on the branch main.

An installed client is never asked to change, so nothing is renamed, retyped or taken away.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Return 0 if nothing breaks, or if there is nothing to compare with."""
    if not (main_branch := find_main()):
        print("contract not compared: this is no git checkout with a branch main")
        return 0
    if not git("ls-tree", "-r", "--name-only", main_branch, "--", "protos"):
        print("contract not compared: main has no protos yet")
        return 0
    against = f".git#ref={main_branch}"
    command = [str(Path(sys.executable).parent / "buf"), "breaking", "--against", against]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def find_main() -> str | None:
    """Return the commit of main, the local branch before the one it was cloned from."""
    for name in ("refs/heads/main", "refs/remotes/origin/main"):
        if commit := git("rev-parse", "--verify", "--quiet", name):
            return commit
    return None


def git(*arguments: str) -> str:
    """Return what git prints, or nothing if it fails or is not installed."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, check=False, capture_output=True, text=True
        )
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main())
