"""Who is here: whoever has a stream open, or has called a little while ago."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from durak_server.matches import NotePresence, Player, Presence, summary
from durak_server.observe.logs import logger
from durak_server.runtime.errors import MatchGone, RuntimeRefusal
from durak_server.runtime.ledger import LogLost
from durak_server.runtime.live_match import LiveMatch
from durak_server.runtime.presence_notes import PresenceNotes
from durak_server.runtime.timekeeper import Timekeeper
from durak_server.store import StoreError

_log = logger(__name__)
_TRY_AGAIN: Final = timedelta(seconds=1)
"""How long a match is let alone that could not take what it was told."""

_MOST_GRACES: Final = 2
_CALM_GRACES: Final = 2 * _MOST_GRACES
"""Longer than the most, or who comes and goes would be calm once his grace is the longest."""


class Presences:
    """Tells the matches in memory when somebody who sits there goes away or comes back.

    A player is here while any stream of his is open, to whatever match, and until `grace` has
    passed since his last call and the end of his last stream. So it does not matter which of
    several connections ends, nor when its end is noticed.

    The grace of one who comes back soon after he came back before is twice as long: a change is
    told to every match at which he sits. It is no longer than that, or the match would leave
    memory before it is told. After 4 graces without coming back it is as short as ever.
    """

    def __init__(self, time: Timekeeper, grace: timedelta) -> None:
        self._time = time
        self._grace = grace
        # Nobody is kept for being known: matches, open streams and alarms hold their people.
        self._people: WeakValueDictionary[str, _Person] = WeakValueDictionary()
        self._seated: WeakKeyDictionary[LiveMatch, _Seated] = WeakKeyDictionary()
        self._notes = PresenceNotes(self._note)
        self._is_closed = False

    def knows(self, player_id: str) -> bool:
        """Tell whether this server has heard of a player lately; it forgets who has gone."""
        person = self._people.get(player_id)
        return person is not None and person.presence is not None

    def saw(self, player_id: str) -> None:
        """Take note of a player's call."""
        self._person(player_id).be_seen()

    @contextmanager
    def stream_of(self, player_id: str) -> Iterator[None]:
        """Count a player's stream while it is open."""
        person = self._person(player_id)
        person.streams += 1
        person.be_seen()
        try:
            yield
        finally:
            person.streams -= 1
            person.be_seen()

    def attend(self, live: LiveMatch) -> None:
        """Look at a match that was loaded or has changed: others may sit there now."""
        match = live.match if live.history.match else None
        seats = () if match is None or match.status.is_over else match.seats
        before = self._seated.get(live)
        if before and before.seats is seats:
            return
        sitting = summary(match).sitting if match and seats else ()
        people = tuple(map(self._person, sitting))
        self._seated[live] = _Seated(seats, people)
        for person in set(before.people if before else ()).difference(people):
            person.tables.discard(live)
        for person in people:
            person.tables.add(live)
            person.watch()
            self._tell(live, person)

    async def close(self) -> None:
        """Tell no match anything any more: streams are about to end that nobody has ended."""
        self._is_closed = True
        await self._notes.close()

    def _person(self, player_id: str) -> "_Person":
        person = self._people.get(player_id)
        if person is None:
            person = _Person(player_id, self._time, self._grace, self._tell_all)
            self._people[player_id] = person
        return person

    def _tell_all(self, person: "_Person") -> None:
        for live in list(person.tables):
            self._tell(live, person)

    def _tell(self, live: LiveMatch, person: "_Person") -> None:
        """Let a match note how somebody is, in its turn, if it does not know it."""
        if not self._is_closed and _news_of(person, live):
            self._notes.add(live, person.player_id)

    async def _note(self, live: LiveMatch, player_id: str) -> None:
        person = self._people.get(player_id)
        news = _news_of(person, live) if person else None
        if person is None or news is None:
            return
        try:
            await live.submit(NotePresence(player_id, news))
        except (MatchGone, LogLost):
            pass  # when the match is read again it is looked at anew
        except (RuntimeRefusal, StoreError):
            again = self._time.now() + _TRY_AGAIN
            self._time.alarm_at(again, lambda: self._tell(live, person))
        except Exception as error:  # whatever is wrong with one, the others are told
            _log.error("presence is not told", match=live.match_id, exc_info=error)


def _news_of(person: "_Person", live: LiveMatch) -> Presence | None:
    """Return how somebody is, if that is known and a match at which he sits does not know it."""
    seat = live.match.active_seat_of(person.player_id)
    player = None if seat is None else live.match.seats[seat]
    is_news = player is not None and person.presence is not player.presence
    return person.presence if is_news else None


class _Seated:
    """Who sat at a match when it was last looked at."""

    def __init__(self, seats: tuple[Player | None, ...], people: "tuple[_Person, ...]") -> None:
        self.seats = seats
        self.people = people


class _Person:
    """A player, and what is known of him; `on_change` is called when that changes."""

    def __init__(
        self,
        player_id: str,
        time: Timekeeper,
        grace: timedelta,
        on_change: "Callable[[_Person], None]",
    ) -> None:
        self.player_id = player_id
        self.streams = 0
        self.presence: Presence | None = None
        """None for one of whom this server has heard nothing yet."""
        self.tables: WeakSet[LiveMatch] = WeakSet()
        self._time = time
        self._grace = grace
        self._on_change = on_change
        self._patience = grace
        """His own grace, until he is calm again."""
        self._came_at = time.now()
        """When he came, or came back, last."""
        self._here_until = time.now() + grace
        self._is_watched = False

    def be_seen(self) -> None:
        """He is here just now."""
        now = self._time.now()
        is_calm = now - self._came_at >= _CALM_GRACES * self._grace
        if is_calm:
            self._patience = self._grace
        if self.presence is Presence.AWAY:
            self._came_at = now
            if not is_calm:
                self._patience = _MOST_GRACES * self._grace
        self._here_until = now + self._patience
        self._become(Presence.CONNECTED)
        self.watch()

    def watch(self) -> None:
        """See to it that his going away is noticed."""
        is_gone = self.presence is Presence.AWAY
        if self._is_watched or self.streams or is_gone:
            return
        self._is_watched = True
        self._time.alarm_at(self._here_until, self._look)

    def _look(self) -> None:
        self._is_watched = False
        if self._here_until > self._time.now():
            self.watch()
        elif not self.streams:
            self._become(Presence.AWAY)

    def _become(self, presence: Presence) -> None:
        if self.presence is not presence:
            self.presence = presence
            self._on_change(self)
