"""Records as JSON and back, by names and versions of their own.

A stored record names its event by `event` and `version`; neither follows a class, so that code
can be renamed and old logs can be read for ever. Cards are written by name ("7S"). When the
shape of an event changes, its kind gets one more upcast, which makes the data of the version
before into those of the next.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from durak_server.matches import ANYBODY, Admission, MatchEvent, Player, Record, Speech
from durak_server.rules import Card, card_name, parse_card
from durak_server.store.errors import StoreCorrupt

Data: TypeAlias = dict[str, Any]  # Any: JSON; each kind converts it to its own types
Upcast: TypeAlias = Callable[[Data], Data]
_Moment: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)]


@dataclass(frozen=True, slots=True)
class FieldForm:
    """How a field is written and read that is not written as it is, such as one with cards."""

    to_json: Callable[[Any], object]  # Any: a card, cards in tuples, or a player
    from_json: Callable[[Any], object]  # Any: the same as JSON


@dataclass(frozen=True, slots=True)
class EventKind:
    """How one event is stored: its name, its class, and the forms of fields.

    `upcasts[k]` makes data of version k + 1 into data of version k + 2. Fields that are `unsaid`
    are not written while they have their default: records without them are read for ever.
    """

    name: str
    event: type[MatchEvent]
    forms: Mapping[str, FieldForm] = field(default_factory=dict)
    upcasts: tuple[Upcast, ...] = ()
    unsaid: frozenset[str] = frozenset()

    @property
    def version(self) -> int:
        """The version that is written, 1 or more."""
        return len(self.upcasts) + 1

    def dump(self, event: MatchEvent) -> Data:
        """Return the facts of an event as JSON values."""
        said = ((each.name, getattr(event, each.name), each.default) for each in fields(self.event))
        data = {
            name: value
            for name, value, default in said
            if name not in self.unsaid or value != default
        }
        for name in self.forms.keys() & data.keys():
            data[name] = self.forms[name].to_json(data[name])
        return data

    def load(self, version: int, data: Data) -> MatchEvent:
        """Return the event with the given facts, written in this version or an older one.

        Raises:
            ValueError: the facts are not those of such an event, or the version is unknown.
        """
        if not 1 <= version <= self.version:
            raise ValueError(f"version {version} is unknown")
        for upcast in self.upcasts[version - 1 :]:
            data = upcast(data)
        written = self.forms.keys() - (self.unsaid - data.keys())
        data = data | {name: self.forms[name].from_json(data[name]) for name in written}
        event: MatchEvent = msgspec.convert(data, self.event)
        return event


def _returned_to_json(returned: Sequence[tuple[int, Sequence[Card]]]) -> object:
    return [[seat, _names(cards)] for seat, cards in returned]


def _returned_from_json(returned: Sequence[tuple[int, Sequence[str]]]) -> object:
    return [[seat, _cards(names)] for seat, names in returned]


def _names(cards: Sequence[Card]) -> list[str]:
    return [card_name(card) for card in cards]


def _cards(names: Sequence[str]) -> list[Card]:
    return [parse_card(name) for name in names]


def _player_to_json(player: Player) -> object:
    """Return who sat down; whoever does is connected and not ready, so that is not said."""
    said = {each.name: getattr(player, each.name) for each in fields(player)}
    del said["presence"], said["is_ready"]
    if not player.is_invited:
        del said["is_invited"]
    return said


def _speech_to_json(speech: Speech) -> object:
    said = {each.name: getattr(speech, each.name) for each in fields(speech)}
    return {name: value for name, value in said.items() if value}


def _admission_to_json(admission: Admission) -> object:
    """Return what a match asks for; what it does not ask for is not said."""
    said = {each.name: getattr(admission, each.name) for each in fields(admission)}
    return {name: value for name, value in said.items() if value != getattr(ANYBODY, name)}


def _clocks_from_json(clocks: Sequence[Data]) -> object:
    return [
        clock | {"deadline": msgspec.convert(clock["deadline"], _Moment).astimezone(UTC)}
        for clock in clocks
    ]


CARD: Final = FieldForm(card_name, parse_card)
CARDS: Final = FieldForm(_names, _cards)
RETURNED: Final = FieldForm(_returned_to_json, _returned_from_json)
PLAYER: Final = FieldForm(_player_to_json, lambda said: said)
CLOCKS: Final = FieldForm(lambda clocks: clocks, _clocks_from_json)
ADMISSION: Final = FieldForm(_admission_to_json, lambda said: said)
SPEECH: Final = FieldForm(_speech_to_json, lambda said: said)


class _Stored(msgspec.Struct, omit_defaults=True):
    event: str
    version: int
    at: _Moment
    data: Data
    player: str = ""
    request: str = ""


class RecordCodec:
    """Writes and reads the records whose events are of the given kinds."""

    def __init__(self, kinds: Sequence[EventKind]) -> None:
        self._by_class = {kind.event: kind for kind in kinds}
        self._by_name = {kind.name: kind for kind in kinds}
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(_Stored)

    def encode(self, record: Record) -> bytes:
        """Return a record as JSON; its sequence is kept beside it."""
        kind = self._by_class[type(record.event)]
        return self._encoder.encode(
            _Stored(
                event=kind.name,
                version=kind.version,
                at=record.recorded_at,
                data=kind.dump(record.event),
                player=record.player_id,
                request=record.request_id,
            )
        )

    def decode(self, sequence: int, body: bytes) -> Record:
        """Return the record that was stored at a sequence.

        Raises:
            StoreCorrupt: it is no record, or one that this version does not know.
        """
        try:
            stored = self._decoder.decode(body)
            event = self._by_name[stored.event].load(stored.version, stored.data)
            recorded_at = stored.at.astimezone(UTC)
        except KeyError as error:
            raise StoreCorrupt(f"record {sequence}: {error} is unknown or missing") from error
        except (ValueError, TypeError, OverflowError) as error:
            raise StoreCorrupt(f"record {sequence}: {error}") from error
        return Record(sequence, recorded_at, event, stored.player, stored.request)
