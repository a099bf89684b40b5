"""`make test-again`: what failed by chance is forgiven aloud, and nothing else is."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

UNSTEADY = """
from pathlib import Path
def test_unsteady():
    before, flag = Path("flag").exists(), Path("flag").touch()
    assert before
"""
STEADY = "def test_fails(): assert False"
MANY = """
import pytest
@pytest.mark.parametrize("number", range(4))
def test_many(number): assert False
"""
BROKEN = """
from pathlib import Path
import pytest
def test_fails(): assert Path("flag").exists()
def test_breaks(): Path("flag").touch(); pytest.exit("broken", 3)
def test_unseen(): assert False
"""


@pytest.mark.parametrize(
    ("tests", "code", "said"),
    [
        pytest.param(UNSTEADY, 0, "UNSTEADY: failed beside other tests", id="passes alone"),
        pytest.param(STEADY, 1, "1 failed", id="fails again"),
        pytest.param(MANY, 1, "4 tests failed; 1 to 3 are asked again.", id="too many failed"),
        pytest.param(
            BROKEN, 1, "The last run did not end with tests that failed.", id="the run broke"
        ),
        pytest.param(
            "def test_passes(): pass",
            1,
            "The last run did not end with tests that failed.",
            id="nothing failed",
        ),
    ],
)
def test_only_a_few_tests_that_pass_alone_are_forgiven(
    tmp_path: Path, tests: str, code: int, said: str
) -> None:
    for file in ("scripts/tests_again.py", "tests/conftest.py", "tests/debug_lines.py"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    (tmp_path / "tests" / "test_some.py").write_text(tests)
    run(tmp_path, "-m", "pytest", "-q")
    again = run(tmp_path, "scripts/tests_again.py")
    assert again.returncode == code, again.stdout
    assert said in again.stdout


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=60,
    )
