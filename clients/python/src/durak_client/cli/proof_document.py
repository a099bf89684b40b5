"""The events of a match in a file: all that a proof of its deals needs."""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from google.protobuf import json_format

from durak_client.cli.opened_file import opened
from durak_client.cli.proof_words import NO_DOCUMENT
from durak_client.pb.durak.v1 import event_pb2

_GZIP = b"\x1f\x8b"
_UNREADABLE = (
    ValueError,
    TypeError,
    RecursionError,
    OverflowError,  # a time with an exponent
    json_format.ParseError,
)
_TAG_OF_GAME = re.compile(rb'^\s*\[Durak "', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """A match's id and its events: all that a proof needs.

    As JSON it is `{"matchId": ..., "events": [...]}` with the events in protobuf's JSON form; the
    JSON of a GetReplayResponse does as well, if it has all events.
    """

    match_id: str
    events: tuple[event_pb2.Event, ...]

    @classmethod
    def parse(cls, content: bytes) -> "Document":
        """Read a document from JSON.

        Raises:
            ValueError: it is none.
        """
        try:
            data = json.loads(content)
            match_id = data["matchId"] if "matchId" in data else data["info"]["matchId"]
            events = tuple(_event(event) for event in data["events"])
        except KeyError as missing:
            problem = f"it has no {missing}"
            raise ValueError(NO_DOCUMENT.format(problem=problem)) from missing
        except _UNREADABLE as problem:
            raise ValueError(NO_DOCUMENT.format(problem=problem)) from problem
        return cls(str(match_id), events)

    def as_json(self) -> str:
        """Return the document as JSON."""
        events = [json_format.MessageToDict(event) for event in self.events]
        return json.dumps({"matchId": self.match_id, "events": events}, indent=1)


def document_in(path: Path) -> Document | None:
    """Return the events in a document or an archive; None for a game as text, which has no seeds.

    Raises:
        ValueError, DurakError: it holds no match, or its rules are not installed.
        OSError: it cannot be read.
    """
    content = path.read_bytes()
    if _TAG_OF_GAME.search(content.removeprefix(BOM_UTF8)):
        return None
    if not _is_archive(content):
        return Document.parse(content)
    file = opened(path)
    return Document(file.replay.info.match_id, file.messages)


def _is_archive(content: bytes) -> bool:
    if content.startswith(_GZIP):
        return True
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and "records" in data


def _event(data: Mapping[str, object]) -> event_pb2.Event:
    return json_format.ParseDict(dict(data), event_pb2.Event(), ignore_unknown_fields=True)
