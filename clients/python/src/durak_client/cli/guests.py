"""The guests that this user has been, one for each server, so that he comes back as the same."""

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest's display name and token. Whoever has the token is the guest."""

    name: str
    token: str


def guests_file() -> Path:
    """Return where guests are kept: below XDG_STATE_HOME, LOCALAPPDATA on Windows."""
    home = Path.home()
    if sys.platform == "win32":
        state = os.environ.get("LOCALAPPDATA", str(home / "AppData" / "Local"))
    else:
        state = os.environ.get("XDG_STATE_HOME", str(home / ".local" / "state"))
    return Path(state) / "durak" / "guests.json"


def saved_guest(server: str, file: Path) -> Guest | None:
    """Return the guest kept for `server`; None if there is none or the file is spoilt."""
    entry = _entries(file).get(server)
    try:
        return Guest(**entry) if isinstance(entry, dict) else None
    except TypeError:
        return None


def save_guest(server: str, guest: Guest, file: Path) -> None:
    """Keep `guest` for `server`, readable by this user alone.

    Raises:
        OSError: the file cannot be written.
    """
    entries = _entries(file) | {server: asdict(guest)}
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        json.dump(entries, stream, ensure_ascii=False, indent=2)
    fresh.replace(file)


def _entries(file: Path) -> dict[str, object]:
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}
