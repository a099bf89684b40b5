"""A viewer whose connection keeps every byte that reaches him."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from google.protobuf.unknown_fields import UnknownFieldSet
from grpc import aio

from durak_server.pb.durak.v1 import card_pb2
from durak_server.rules import card_name, deck_cards
from tests.api.knowledge import wire_number

_NAMES = {card_name(card): wire_number(card) for card in deck_cards(52)}
_CARD = card_pb2.Card.DESCRIPTOR


@dataclass
class Tap:
    """What reached a viewer: the bytes of each answer beside what they were read as."""

    answers: list[tuple[bytes, Message]] = field(default_factory=list)

    def reading(self, read: Callable[[bytes], Message]) -> Callable[[bytes], Message]:
        """Return a deserializer that keeps what it is given."""

        def keep(data: bytes) -> Message:
            message = read(data)
            self.answers.append((data, message))
            return message

        return keep

    def drain(self) -> list[tuple[bytes, Message]]:
        """Return what came since the last time."""
        answers, self.answers = self.answers, []
        return answers


class _TappedChannel:
    def __init__(self, channel: aio.Channel, tap: Tap) -> None:
        self._channel = channel
        self._tap = tap

    def __getattr__(self, kind: str) -> Any:  # Any: as many kinds of calls as the channel has
        make = getattr(self._channel, kind)

        def method(path: str, **options: Any) -> Any:  # Any: the stub's options, passed on
            options["response_deserializer"] = self._tap.reading(options["response_deserializer"])
            return make(path, **options)

        return method


def tapped(channel: aio.Channel, tap: Tap) -> aio.Channel:
    """Return the channel so that stubs made from it are tapped."""
    return cast("aio.Channel", _TappedChannel(channel, tap))  # all that stubs ask of a channel


def cards_told(message: Message, sequence: int = 0) -> Iterator[tuple[int, int]]:
    """Yield each card that a message names, with the sequence of what names it.

    That is the nearest one around it: an event's own, else the view's, else the answer's. A
    caller's own token is random text, in which anything may stand.
    """
    assert not len(UnknownFieldSet(message)), "nothing stands there that this reader cannot see"
    sequence = getattr(message, "sequence", 0) or sequence
    for descriptor, value in _values(message):
        if isinstance(value, Message):
            yield from cards_told(value, sequence)
        elif descriptor.enum_type is _CARD:
            yield sequence, int(value)
        elif isinstance(value, str) and descriptor.name != "token":
            yield from ((sequence, card) for card in cards_named(value))


def sequences_in(message: Message) -> Iterator[int]:
    """Yield all sequences that an answer speaks of."""
    yield getattr(message, "sequence", 0)
    for _, value in _values(message):
        if isinstance(value, Message):
            yield from sequences_in(value)


def moments_in(message: Message) -> Iterator[datetime]:
    """Yield all moments that an answer speaks of."""
    for _, value in _values(message):
        if isinstance(value, Timestamp):
            yield value.ToDatetime(tzinfo=UTC)
        elif isinstance(value, Message):
            yield from moments_in(value)


def _values(message: Message) -> Iterator[tuple[FieldDescriptor, Any]]:  # Any: of any field
    for descriptor, value in message.ListFields():
        one = isinstance(value, Message | str | bytes | int | float)
        yield from ((descriptor, each) for each in ([value] if one else value))


def cards_named(text: str) -> set[int]:
    """Return the cards whose names stand in a text as words, such as 8S."""
    return {_NAMES[word] for word in re.findall(r"[A-Za-z0-9]+", text) if word in _NAMES}
