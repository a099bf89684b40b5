"""Pages of matches, newest first, by the moment they were made and then by id."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from durak_server.matches import MatchSummary
from durak_server.store.catalogue import Page
from durak_server.store.errors import InvalidPageToken

PageKey: TypeAlias = tuple[int, str]
"""A match's place in the order: microseconds since 1970 at which it was made, and its id."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_END_OF_TIME: Final = 2**62
"""More microseconds than any moment has, and fewer than a column holds."""

FIRST_PLACE: Final[PageKey] = (0, "")
LAST_PLACE: Final[PageKey] = (_END_OF_TIME, "")
"""No match is before the one, and none after the other."""


@dataclass(frozen=True, slots=True)
class LookedAt:
    """The matches that one page looks at by their places, newest first."""

    places: tuple[PageKey, ...]
    has_more: bool
    """Whether there are older ones."""

    @property
    def end(self) -> PageKey | None:
        """The last place looked at; None if there is nothing behind it."""
        return self.places[-1] if self.has_more else None


def microseconds(moment: datetime) -> int:
    """Return a moment as microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def moment(microseconds: int) -> datetime:
    """Return the moment so many microseconds after 1970, in UTC."""
    return _EPOCH + microseconds * _MICROSECOND


def page_key(summary: MatchSummary) -> PageKey:
    """Return a match's place in the order."""
    return microseconds(summary.created_at), summary.match_id


def looked_at(newest_first: Sequence[PageKey], most: int) -> LookedAt:
    """Return the first `most` places as those looked at; one place more tells of others."""
    return LookedAt(tuple(newest_first[:most]), has_more=len(newest_first) > most)


def page_of(newest_first: Sequence[MatchSummary], size: int, looked: LookedAt) -> Page:
    """Return the first `size` of the matches that fit, of those looked at, as a page.

    The next one begins after the last match told, or where nobody has looked yet.
    """
    matches = tuple(newest_first[:size])
    end = page_key(matches[-1]) if len(newest_first) > size else looked.end
    passed = sum(end is None or place >= end for place in looked.places)
    return Page(matches, page_token(end) if end else "", passed - len(matches))


def page_token(key: PageKey) -> str:
    """Return the token of the page that follows the match at `key`."""
    return urlsafe_b64encode(f"{key[0]}:{key[1]}".encode()).decode()


def parse_page_token(token: str) -> PageKey | None:
    """Return the place after which a page begins; None for the first page.

    Raises:
        InvalidPageToken: the token is not one that `page_token` made.
    """
    if not token:
        return None
    try:
        made, _, match_id = urlsafe_b64decode(token).decode().partition(":")
        key = (int(made), match_id)
    except ValueError as error:
        raise _foreign() from error
    if page_token(key) != token or not 0 <= key[0] < _END_OF_TIME:
        raise _foreign()
    return key


def _foreign() -> InvalidPageToken:
    return InvalidPageToken("the page token is not one of this store's")
