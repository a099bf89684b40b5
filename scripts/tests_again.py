"""Run the tests that failed in the last run once more, alone, and say that they were unsteady.

For machines on which others work as well (docs/adr/0030-a-test-is-asked-again-alone.md). It fails
when the last run broke before its end, when more than MOST failed in it, and when one fails again.

    python scripts/tests_again.py
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache" / "v"
MOST = 3


def main() -> int:
    """Return 0 when each of the few tests that failed passes alone."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    if _kept("exitstatus") != pytest.ExitCode.TESTS_FAILED:
        print("The last run did not end with tests that failed.")
        return 1
    failed = sorted(_kept("cache/lastfailed") or {})
    if not 1 <= len(failed) <= MOST:
        print(f"{len(failed)} tests failed; 1 to {MOST} are asked again.")
        return 1
    again = subprocess.run([sys.executable, "-m", "pytest", *failed], cwd=ROOT, check=False)
    if again.returncode == 0:
        print("UNSTEADY: failed beside other tests and passed alone, to be mended:")
        for name in failed:
            print(f"    {name}")
    return again.returncode


def _kept(name: str) -> Any:  # Any: whatever pytest keeps there, as JSON
    file = KEPT / name
    return json.loads(file.read_text("utf-8")) if file.exists() else None


if __name__ == "__main__":
    sys.exit(main())
