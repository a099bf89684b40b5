"""A match replayed from a file, without a server."""

from codecs import BOM_UTF8
from pathlib import Path

from durak_client import wire_events, wire_model
from durak_client.errors import DurakError
from durak_client.pb.durak.v1 import event_pb2, match_pb2, view_pb2
from durak_client.replay import Replay
from durak_client.view import View
from durak_server.api.wire_events import wire_events as to_wire_events
from durak_server.api.wire_matches import wire_info
from durak_server.api.wire_views import wire_view
from durak_server.matches import (
    BrokenGame,
    BrokenLog,
    GameTextError,
    History,
    Openly,
    Record,
    checked_fold,
    format_game,
    game_log,
    game_of,
    match_view,
    parse_game,
    summary,
)
from durak_server.store import StoreCorrupt
from durak_server.store.archive import unpack_match

_ARCHIVES = (b"\x1f\x8b", b"{")
"""How files begin that are no text: gzip, or an archive that was unpacked."""


class UnreadableFile(DurakError):
    """The file holds no match that could be replayed; the text says why."""


class FileReplay:
    """A match from an archive of the server's, or a game in its text form; all cards are open."""

    def __init__(self, records: tuple[Record, ...]) -> None:
        match = checked_fold(records)
        self._history = History(records)
        # Both packages have messages of their own: what one writes, the other reads.
        self.messages = tuple(
            event_pb2.Event.FromString(event.SerializeToString())
            for event in to_wire_events(self._history.seen(0, Openly.OPEN))
        )
        """The events as a server would send them to somebody who may see all cards."""
        self.replay = Replay(
            info=wire_model.match_info(
                match_pb2.MatchInfo.FromString(wire_info(summary(match), "").SerializeToString())
            ),
            events=tuple(map(wire_events.event, self.messages)),
            open_cards=True,
        )

    @classmethod
    def read(cls, path: Path) -> "FileReplay":
        """Return the match in a file.

        Raises:
            UnreadableFile: it holds none.
            OSError: it cannot be read.
        """
        content = path.read_bytes()
        try:
            return cls(_records(content))
        except (BrokenGame, BrokenLog, GameTextError, StoreCorrupt, UnicodeDecodeError) as error:
            raise UnreadableFile(f"{path}: {error}") from error

    async def view_at(
        self, sequence: int, seat: int | None = None, *, open_cards: bool = False
    ) -> View:
        """Return the match as it was; see `PastViews`."""
        match = self._history.match_at(sequence)
        assert match, "sequences begin with 1"
        view = wire_view(match_view(match, Openly.OPEN if open_cards else seat))
        return wire_model.view(view_pb2.View.FromString(view.SerializeToString()))

    def text(self) -> str:
        """Return the match as a game in its text form."""
        return format_game(game_of(self._history))


def _records(content: bytes) -> tuple[Record, ...]:
    content = content.removeprefix(BOM_UTF8)
    if content.startswith(_ARCHIVES):
        return unpack_match(content)
    return game_log(parse_game(content.decode()))
