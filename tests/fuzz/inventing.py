"""Requests as callers may send them: sound, almost sound, and absurd."""

from collections.abc import Sequence
from random import Random
from typing import Final, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from tests.fuzz.seen import Seen, Value

_Made = TypeVar("_Made", bound=Message)

_TEXTS: Final = (
    "",
    "a",
    "Вася",
    "x" * 41,
    "x" * 65,
    "y" * 3_000,
    "\x00",
    "\u202egnp.exe",
    "a\u0301\u0301\u0301\u0301",
    "../../etc/passwd",
    "' OR 1=1 --",
    "%s%n{0}",
    "\U0001f0a1",
    "-1",
    "NaN",
)
_NUMBERS: Final = (0, 7, 36, 100, 101, 3_600, 2**31 - 1, 2**31, 2**32 - 1)
_SIGNED: Final = (-1, 999_999_999, 2**31 - 1, -(2**31))
_LENGTHS: Final = (0, 1, 65, 300)
_INTEGERS: Final = {
    FieldDescriptor.TYPE_UINT32: _NUMBERS,
    FieldDescriptor.TYPE_UINT64: (*_NUMBERS, 2**63, 2**64 - 1),
    FieldDescriptor.TYPE_INT32: _SIGNED,
    FieldDescriptor.TYPE_INT64: (*_SIGNED, 2**63 - 1, -(2**63)),
}
PASSWORDS: Final = ("open sesame", "friend of the house")
_SOUND: Final[dict[str, Sequence[int | str]]] = {
    "name": ("Vasya", "Вася"),
    "nanos": (0,),
    "password": ("", "", "", *PASSWORDS),
    "request_id": ("", "", "1", "2", "3"),
    "seat": (0, 1, 2),
    "seats": (2, 2, 3),
    "seconds": (60, 3_600, 86_400),
    "sequence": (1, 2, 3, 5, 8),
    "spectator_delay_seconds": (0, 0, 30),
}
_OFTEN: Final = {
    "CreateMatchRequest.match_id": 0.2,
    "match_id": 0.97,
    "which": 0.97,
    "move": 0.95,
    "speech": 0.95,
    "kind": 0.97,
    "expected_sequence": 0.1,
    "rules": 0.3,
    "password": 0.2,
    "spectators": 0.1,
    "spectator_delay_seconds": 0.1,
    "level": 0.5,
    "statuses": 0.2,
}
_SIZES: Final = (0, 1, 1, 1, 2, 3, 6)
_SHARE_OF_OPTIONS: Final = 0.04
"""Options of many kinds would hardly ever fit together."""


class Inventor:
    """Makes requests of any type from a throw of `dice` and from what was `seen`."""

    def __init__(self, dice: Random, seen: Seen) -> None:
        self._dice = dice
        self._seen = seen
        self._absurdity = 0.0

    def make(self, kind: type[_Made]) -> _Made:
        """Return a message of a type: sound in each field, or absurd in some or many."""
        self._absurdity = self._dice.choice((0.0, 0.0, 0.02, 0.3))
        return self._fill(kind(), 0.6)

    def _fill(self, message: _Made, share: float) -> _Made:
        descriptor: Descriptor = message.DESCRIPTOR  # type: ignore[assignment]  # a union in the stubs
        alternatives = [one for one in descriptor.oneofs if len(one.fields) > 1]
        for one in alternatives:
            if self._dice.random() < _OFTEN.get(one.name, 0.9):
                self._set(message, self._dice.choice(one.fields))
        in_one = {field.name for one in alternatives for field in one.fields}
        for field in descriptor.fields:
            often = _OFTEN.get(f"{descriptor.name}.{field.name}", _OFTEN.get(field.name, share))
            if field.name not in in_one and self._dice.random() < often:
                self._set(message, field)
        return message

    def _set(self, message: Message, field: FieldDescriptor) -> None:
        if field.message_type:
            share = _SHARE_OF_OPTIONS if field.message_type.name == "RuleSet" else 0.7
            parts = getattr(message, field.name)
            if field.is_repeated:
                for _ in range(self._dice.choice(_SIZES)):
                    self._fill(parts.add(), share)
            else:
                parts.SetInParent()
                self._fill(parts, share)
        elif field.is_repeated:
            many = [self._scalar(field) for _ in range(self._dice.choice(_SIZES))]
            getattr(message, field.name).extend(many)
        else:
            setattr(message, field.name, self._scalar(field))

    def _scalar(self, field: FieldDescriptor) -> Value | int:
        return self._absurd(field) if self._dice.random() < self._absurdity else self._sound(field)

    def _sound(self, field: FieldDescriptor) -> Value | int:
        if field.name in _SOUND:
            return self._dice.choice(_SOUND[field.name])
        name = "player_id" if field.name == "muted_player_ids" else field.name
        seen = self._seen.pick(name, self._dice)
        if seen is not None:
            return seen
        if field.enum_type:
            return self._dice.choice([value.number for value in field.enum_type.values])
        if field.type == FieldDescriptor.TYPE_STRING:
            return "" if field.name == "page_token" else "Hello"
        if field.type == FieldDescriptor.TYPE_BYTES:
            return self._dice.randbytes(32)
        return self._dice.choice((0, 1))

    def _absurd(self, field: FieldDescriptor) -> Value | int:
        if field.enum_type:
            return self._dice.choice((-1, 99, 2**31 - 1))
        if field.type == FieldDescriptor.TYPE_STRING:
            return self._dice.choice(_TEXTS)
        if field.type == FieldDescriptor.TYPE_BYTES:
            return self._dice.randbytes(self._dice.choice(_LENGTHS))
        return self._dice.choice(_INTEGERS.get(field.type, (0, 1)))
