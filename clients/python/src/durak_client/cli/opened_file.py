"""A file that holds a match, opened by the server's own rules, which are an extra."""

from pathlib import Path
from typing import TYPE_CHECKING

from durak_client.cli import words
from durak_client.errors import DurakError

if TYPE_CHECKING:
    from durak_client.local.file_replay import FileReplay


class NeedsLocal(DurakError):
    """A file is opened by the server's rules, and these are not installed."""

    def __init__(self) -> None:
        super().__init__(words.NEEDS_LOCAL)


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
