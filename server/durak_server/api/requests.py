"""The fields that many requests have, checked."""

import re
import unicodedata
from collections.abc import Collection
from datetime import timedelta
from itertools import groupby
from typing import Final

from google.protobuf.duration_pb2 import Duration

from durak_server.api.failures import CallFailed, invalid_field
from durak_server.api.wire_enums import STATUSES
from durak_server.matches import LONGEST_PLAYER_SEED, MatchStatus
from durak_server.store import UNFINISHED, PageRequest

_MATCH_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_REQUEST_ID: Final = re.compile(r"[ -~]{0,64}")
_INVITE_CODE: Final = re.compile(r"[A-Za-z0-9]{1,32}")
_PLAYER_ID: Final = re.compile(r"[!-~]{1,64}")
_LONGEST_OPERATOR_TEXT: Final = 200
_LONGEST_NAME: Final = 40
_MOST_MARKS: Final = 3
"""In a row: more than any living script needs, too few to paint over the lines around."""
_MOST_LOOSE_MARKS: Final = 8
"""In a row, before what belongs together is one character: no letter takes up more than 3."""
LOOSE_LENGTH: Final = 4
"""So many times as many characters a text may have before its normal form is made of it."""
_LARGEST_PAGE: Final = 100
_USUAL_PAGE: Final = 20
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that look like nothing."""
_VISIBLE: Final = frozenset("LNPS")
"""The first letters of the categories of what can be seen by itself."""
# Control, format (they can turn a line round), surrogate, private, unassigned; line separators.
_NOT_SHOWN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def player_name(text: str) -> str:
    """Return a display name in its normal form (NFC).

    Raises:
        CallFailed: it is empty, white space, too long, has characters that cannot be seen, or
            more than 3 combining marks in a row.
    """
    return plain_text(text, "name", _LONGEST_NAME)


def plain_text(text: str, field: str, longest: int) -> str:
    """Return what a player wrote for others to read, in its normal form (NFC).

    Raises:
        CallFailed: it is empty, white space, longer than `longest` characters, has characters
            that cannot be seen, or more than 3 combining marks in a row.
    """
    loose = text.strip()
    # Looked at first: many marks in a row are brought into order in time that grows by the square.
    is_short = len(loose) <= LOOSE_LENGTH * longest
    if is_short and _most_marks_in_a_row(loose) > _MOST_LOOSE_MARKS:
        raise _too_many_marks(field)
    plain = unicodedata.normalize("NFC", loose).strip() if is_short else ""
    if not 1 <= len(plain) <= longest:
        raise invalid_field(field, f"must have 1 to {longest} characters")
    if any(unicodedata.category(character) in _NOT_SHOWN for character in plain):
        raise invalid_field(field, "must not have control or format characters")
    if not _BLANKS.isdisjoint(plain) or unicodedata.category(plain[0])[0] not in _VISIBLE:
        raise invalid_field(field, "must begin with, and have only, what can be seen")
    if _most_marks_in_a_row(plain) > _MOST_MARKS:
        raise _too_many_marks(field)
    return plain


def operator_text(text: str) -> str:
    """Return what an operator tells players, in its normal form; it may be empty.

    Raises:
        CallFailed: it is not plain text, or has more than 200 characters.
    """
    return plain_text(text, "text", _LONGEST_OPERATOR_TEXT) if text else ""


def _too_many_marks(field: str) -> CallFailed:
    return invalid_field(field, f"must not have more than {_MOST_MARKS} marks on one letter")


def _most_marks_in_a_row(text: str) -> int:
    runs = groupby(text, lambda character: unicodedata.category(character)[0] == "M")
    return max((len(list(run)) for is_marks, run in runs if is_marks), default=0)


def checked_match_id(text: str) -> str:
    """Return a match id.

    Raises:
        CallFailed: no match can have it.
    """
    if not _MATCH_ID.fullmatch(text):
        raise invalid_field("match_id", "must be 1 to 64 of A-Z a-z 0-9 _ -")
    return text


def checked_player_id(text: str, field: str = "player_id") -> str:
    """Return a player's id, which stands in that field.

    Raises:
        CallFailed: nobody can have it.
    """
    if not _PLAYER_ID.fullmatch(text):
        raise invalid_field(field, "must be 1 to 64 characters of printable ASCII, no spaces")
    return text


def checked_request_id(text: str) -> str:
    """Return a request id, perhaps empty.

    Raises:
        CallFailed: it is too long or has other characters.
    """
    if not _REQUEST_ID.fullmatch(text):
        raise invalid_field("request_id", "must be at most 64 characters of printable ASCII")
    return text


def checked_invite_code(text: str) -> str:
    """Return an invite code.

    Raises:
        CallFailed: no match can have it.
    """
    if not _INVITE_CODE.fullmatch(text):
        raise invalid_field("invite_code", "must be 1 to 32 letters and digits")
    return text


def checked_seed(seed: bytes, *, shortest: int) -> bytes:
    """Return a player's seed of at least that many bytes.

    Raises:
        CallFailed: it is too short or too long.
    """
    if not shortest <= len(seed) <= LONGEST_PLAYER_SEED:
        raise invalid_field("seed", f"must have {shortest} to {LONGEST_PLAYER_SEED} bytes")
    return seed


def checked_span(span: Duration, field: str, shortest: timedelta, longest: timedelta) -> timedelta:
    """Return a span of time within its bounds.

    Raises:
        CallFailed: it is shorter or longer.
    """
    seconds = span.seconds + span.nanos / 1e9
    least, most = shortest.total_seconds(), longest.total_seconds()
    if not least <= seconds <= most:
        raise invalid_field(field, f"must be {least:.0f} to {most:.0f} seconds")
    return timedelta(seconds=seconds)


def page_request(size: int, token: str) -> PageRequest:
    """Return which page is asked for.

    Raises:
        CallFailed: the page is too large.
    """
    if size > _LARGEST_PAGE:
        raise invalid_field("page_size", f"must be 0 to {_LARGEST_PAGE}")
    return PageRequest(size or _USUAL_PAGE, token)


def statuses_from_wire(numbers: Collection[int], field: str) -> frozenset[MatchStatus]:
    """Return the statuses asked for; those of unfinished matches if none is named.

    Raises:
        CallFailed: a status is unknown, or they are too many.
    """
    return STATUSES.members(numbers, field) or UNFINISHED


def invalid_page_token() -> CallFailed:
    """Return the failure of a page token that no answer had."""
    return invalid_field("page_token", "must be a next_page_token of this call")
