"""Enums whose list may grow on the server before it grows here."""

from enum import IntEnum
from typing import Self


class OpenEnum(IntEnum):
    """An enum of the wire: a number it does not know becomes a member `UNKNOWN_<number>`.

    Compare members with `==`: each look-up of an unknown number makes a new, equal member.
    """

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        return member

    @classmethod
    def named(cls, name: "str | Self") -> Self:
        """Return the member called `name`, in either case; a member returns itself.

        Raises:
            ValueError: there is none; the text lists those that exist.
        """
        if isinstance(name, cls):
            return name
        members = {member.name: member for member in cls if member}
        if (found := members.get(str(name).upper())) is None:
            choices = ", ".join(known.lower() for known in members)
            raise ValueError(f"{name!r} is not one of {choices}")
        return found

    def __str__(self) -> str:
        """Return the name: who prints a status reads `PLAYING`, not its number."""
        return self.name

    def __format__(self, spec: str) -> str:
        """Return the name as `format` writes text."""
        return format(self.name, spec)

    @property
    def is_known(self) -> bool:
        """Whether this version of the client knows the number."""
        return self in type(self).__members__.values()

    @property
    def word(self) -> str:
        """The name in lower case, with blanks: `right of fool`."""
        return self.name.lower().replace("_", " ")
