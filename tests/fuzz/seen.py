"""What callers have seen in answers and may send back: ids, codes, tokens, commitments."""

from random import Random
from typing import Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_KEPT: Final = 6
"""Of each kind, the newest: calls shall meet at the same matches."""
_STANDS_FOR: Final = {"next_match_id": "match_id", "next_page_token": "page_token"}
_TEXTS: Final = ("match_id", "player_id", "invite_code", "page_token")

Value = str | bytes


class Seen:
    """Collects by the names of fields; never what is in `left_alone`."""

    def __init__(self, left_alone: frozenset[str] = frozenset()) -> None:
        self._left_alone = left_alone
        self._values: dict[str, list[Value]] = {}

    def learn(self, message: Message) -> None:
        """Collect from an answer, and from the messages within it."""
        for field, value in message.ListFields():
            for one in _each(field, value):
                if isinstance(one, Message):
                    self.learn(one)
                else:
                    self._note(_STANDS_FOR.get(field.name, field.name), one)

    def pick(self, name: str, dice: Random) -> Value | None:
        """Return any value that was seen under a field's name, None if there is none."""
        values = self._values.get(_STANDS_FOR.get(name, name))
        return dice.choice(values) if values else None

    def texts(self, name: str) -> list[str]:
        """Return the texts that were seen under a field's name, oldest first."""
        return [value for value in self._values.get(name, ()) if isinstance(value, str)]

    def _note(self, name: str, value: object) -> None:
        if name not in (*_TEXTS, "commitment") or not isinstance(value, str | bytes):
            return
        values = self._values.setdefault(name, [])
        if value and value not in values and value not in self._left_alone:
            values.append(value)
            del values[:-_KEPT]


def _each(field: FieldDescriptor, value: object) -> list[object]:
    if field.is_repeated:
        is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
        return [] if is_map else list(value)  # type: ignore[call-overload]  # repeated: a sequence
    return [value]
