"""A repeated request is answered as the first time, at a price that no long log raises."""

from datetime import UTC, datetime

from durak_server.matches import Say, Speech
from durak_server.store import MemoryStore
from tests.runtime.tables import create, done, live_matches

KEPT = 64
"""Of so many records one match is kept, to look back from."""


def hello(number: int) -> Say:
    """A word that "a" says, under a request id of its own."""
    moment = datetime(2026, 11, 30, 12, tzinfo=UTC)
    return Say("a", f"say {number}", Speech(text="Hello"), moment)


async def test_an_old_answer_does_not_fold_the_whole_log_anew() -> None:
    async with live_matches(MemoryStore()) as live:
        await live.submit("m", create(seats=3))
        outcomes = [done(await live.submit("m", hello(number))) for number in range(KEPT)]
        (number,) = [at for at, outcome in enumerate(outcomes) if outcome.last == KEPT]

        again = done(await live.submit("m", hello(number)))

    # The very match that is kept, and no second one.
    assert again.match is again.history.match_at(KEPT)
