"""Builds the disk that fails when told to, and tells a server to run on it."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FATAL: Final = ("kill", "torn")
"""Faults that end the server."""
ERRORS: Final = ("eio", "enospc", "short")
"""Faults that it has to live with."""

_SOURCE: Final = Path(__file__).with_suffix(".c")


@dataclass(frozen=True, slots=True)
class FailingDisk:
    """A compiled `failing_disk.c`: see there for what it can do."""

    library: Path

    @classmethod
    def built(cls, folder: Path) -> "FailingDisk":
        """Compile it."""
        library = folder / "failing_disk.so"
        command = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
        subprocess.run([*command, "-o", str(library), str(_SOURCE), "-ldl"], check=True)
        return cls(library)

    def environment(
        self,
        data: Path,
        calls: Path,
        faults: str = "",
        full: Path | None = None,
        slow: Path | None = None,
    ) -> dict[str, str]:
        """Return what a server needs whose data is in `data`; the calls are told in `calls`.

        The disk is full for as long as there is a file `full`, and slow as long as one `slow`.
        """
        return {
            "LD_PRELOAD": str(self.library),
            "FAULTS": faults,
            "FAULTS_FOLDER": str(data),
            "FAULTS_LOG": str(calls),
            "FAULTS_FULL": str(full or ""),
            "FAULTS_SLOW": str(slow or ""),
        }
