"""Check that the contract in `protos/` only adds to every version of it that was ever committed.

An installed client is never asked to change, so nothing is renamed, retyped or taken away.

    python scripts/check_breaking.py
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUF = str(Path(sys.executable).parent / "buf")


def main() -> int:
    """Return 0 if nothing breaks, or if there is nothing to compare with."""
    versions = earlier_versions()
    for version in versions:
        command = [BUF, "breaking", "--against", f".git#ref={version}"]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            print(f"the contract breaks with that of commit {version}")
            return 1
    print(f"the contract keeps all {len(versions)} earlier versions that this checkout knows")
    return 0


def earlier_versions() -> list[str]:
    """Return the commits that changed the contract, newest first; none without a git checkout."""
    try:
        listed = subprocess.run(
            ["git", "rev-list", "HEAD", "--", "protos"],
            cwd=ROOT,
            check=False,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        return []
    return listed.stdout.split()


if __name__ == "__main__":
    sys.exit(main())
