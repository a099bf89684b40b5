"""Why the runtime does not answer with a match's own word."""


class RuntimeRefusal(Exception):
    """The command or the watch was not taken; the match is as before."""


class MatchMissing(RuntimeRefusal):
    """There is no such match."""


class MatchHidden(MatchMissing):
    """There is a match, but not for him who asks."""


class MatchBusy(RuntimeRefusal):
    """As many commands as the match's inbox takes are waiting; try again."""


class MatchGone(RuntimeRefusal):
    """This match has just left memory; ask for it anew."""


class ShuttingDown(RuntimeRefusal):
    """The server is about to end: there are no streams any more."""


class NoNewMatches(RuntimeRefusal):
    """The server is draining, and makes no match any more; whatever there is goes on."""


class TooManyWatchers(RuntimeRefusal):
    """The match, or the lobby, has as many streams as it may have; `limit` is the setting."""

    def __init__(self, limit: str) -> None:
        super().__init__(f"as many as {limit} allows")
        self.limit = limit


class SequenceAhead(RuntimeRefusal):
    """The watch shall begin after an event that is not there; `sequence` is the last."""

    def __init__(self, sequence: int) -> None:
        super().__init__(f"the last event is {sequence}")
        self.sequence = sequence


class WatcherTooSlow(RuntimeRefusal):
    """The watcher fell too far or too long behind; `sequence` is the last it was given."""

    def __init__(self, sequence: int) -> None:
        super().__init__(f"fell behind at {sequence}")
        self.sequence = sequence
