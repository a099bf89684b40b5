"""The keys that an identity provider shows, as far as they are of use."""

from dataclasses import dataclass
from typing import Final

import jwt

_SECRET: Final = frozenset({"d", "k"})
"""Members of private and of symmetric keys (RFC 7518, 6)."""


@dataclass(frozen=True, slots=True)
class ShownKeys:
    """A JWK set (RFC 7517, 5)."""

    usable: tuple[jwt.PyJWK, ...]
    """Of those with the same id the first; any number that have none."""
    skipped: tuple[int, ...]
    """The places in the set, from 0, of all others."""


def shown_keys(source: object) -> ShownKeys:
    """Return the keys of a set that was read as JSON, whatever else is in it.

    Raises:
        ValueError: it is no set of keys, or none of them can be used.
    """
    members = source.get("keys") if isinstance(source, dict) else None
    if not isinstance(members, list):
        raise ValueError("there is no set of keys")
    usable: list[jwt.PyJWK] = []
    key_ids: set[str | None] = set()
    skipped: list[int] = []
    for place, member in enumerate(members):
        key = _usable_key(member)
        if key is None or key.key_id in key_ids - {None}:
            skipped.append(place)
        else:
            usable.append(key)
            key_ids.add(key.key_id)
    if not usable:
        raise ValueError("no key of the set can be used")
    return ShownKeys(tuple(usable), tuple(skipped))


def _usable_key(member: object) -> jwt.PyJWK | None:
    """Return the public key of signatures that a member of the set is, if it is one."""
    if not isinstance(member, dict) or not isinstance(member.get("kid"), str | None):
        return None
    # What everybody can sign with proves nothing.
    if not _is_for_signatures(member) or not _SECRET.isdisjoint(member):
        return None
    try:
        return jwt.PyJWK(member)
    except Exception:  # the library fails in many ways on members that are not as they should be
        return None


def _is_for_signatures(member: dict[str, object]) -> bool:
    """Tell whether the provider lets signatures be verified by a key (RFC 7517, 4.2 and 4.3)."""
    uses = member.get("key_ops")
    may_verify = uses is None or (isinstance(uses, list) and "verify" in uses)
    return may_verify and member.get("use") in (None, "sig")
