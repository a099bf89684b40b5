"""A file that holds a match, opened by the server's own rules, which are an extra."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_client.cli import words
from durak_client.errors import DurakError

if TYPE_CHECKING:
    from durak_client.local.file_replay import FileReplay


_MATCH_ID: Final = re.compile("[A-Za-z0-9_-]{1,64}")


class NeedsLocal(DurakError):
    """A file is opened by the server's rules, and these are not installed."""

    def __init__(self) -> None:
        super().__init__(words.NEEDS_LOCAL)


class NoSuchFile(DurakError):
    """What was named is no file, and can be no match's id either."""

    def __init__(self, name: str) -> None:
        super().__init__(words.NO_FILE.format(name=name))


def file_named(match_or_file: str) -> Path | None:
    """Return the file of that name, None if there is none and it may be a match's id.

    Raises:
        NoSuchFile: it is neither.
    """
    path = Path(match_or_file)
    if path.is_file():
        return path
    if not _MATCH_ID.fullmatch(match_or_file):
        raise NoSuchFile(match_or_file)
    return None


def opened(path: Path) -> "FileReplay":
    """Return the match in a file: an archive of a server's, or a game as text.

    Raises:
        NeedsLocal: the server's rules are not installed.
        DurakError: the file holds no match.
        OSError: it cannot be read.
    """
    try:
        from durak_client.local.file_replay import FileReplay  # noqa: PLC0415  # an extra
    except ModuleNotFoundError as error:
        raise NeedsLocal from error
    return FileReplay.read(path)
