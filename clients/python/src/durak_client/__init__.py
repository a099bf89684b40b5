"""A client for servers that host matches of durak.

    async with await Client.connect("127.0.0.1:50051", name="Vasya") as client:
        match = await client.create_match("podkidnoy", seats=2)
        await match.add_bot("lowest")
        await match.start()
        end = await play(client, match, lambda view: random.choice(view.legal_moves))

See `Client` for what a player can do, `play` for bots, `Match.follow` to see every event,
`durak_client.events` for what happens in a match and `durak_client.errors` for what can go wrong.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_client.admission import Admission
    from durak_client.bots import play, play_many
    from durak_client.cards import Card, Suit
    from durak_client.client import Client
    from durak_client.errors import (
        ClientClosed,
        Denied,
        DurakError,
        InvalidRequest,
        LimitReached,
        NotFound,
        NotUnderstood,
        Refused,
        RuleRefused,
        Stale,
        Unauthenticated,
        Unavailable,
    )
    from durak_client.events import Event, Update
    from durak_client.following import Lost, ViewMode
    from durak_client.lobby import LobbyUpdate
    from durak_client.match import Match
    from durak_client.matches import BotLevel, MatchInfo, MatchStatus, Preset, Seat
    from durak_client.moves import LegalMove, Move, MoveKind
    from durak_client.patience import Patience
    from durak_client.play_stream import PlayStream
    from durak_client.replay import PastViews, Replay
    from durak_client.talk import Phrase, Reaction
    from durak_client.view import Deal, DealResult, Phase, SeatView, TablePair, View

__all__ = [
    "Admission",
    "BotLevel",
    "Card",
    "Client",
    "ClientClosed",
    "Deal",
    "DealResult",
    "Denied",
    "DurakError",
    "Event",
    "InvalidRequest",
    "LegalMove",
    "LimitReached",
    "LobbyUpdate",
    "Lost",
    "Match",
    "MatchInfo",
    "MatchStatus",
    "Move",
    "MoveKind",
    "NotFound",
    "NotUnderstood",
    "PastViews",
    "Patience",
    "Phase",
    "Phrase",
    "PlayStream",
    "Preset",
    "Reaction",
    "Refused",
    "Replay",
    "RuleRefused",
    "Seat",
    "SeatView",
    "Stale",
    "Suit",
    "TablePair",
    "Unauthenticated",
    "Unavailable",
    "Update",
    "View",
    "ViewMode",
    "play",
    "play_many",
]

_HOMES = (
    "admission",
    "bots",
    "cards",
    "client",
    "errors",
    "events",
    "following",
    "lobby",
    "match",
    "matches",
    "moves",
    "patience",
    "play_stream",
    "replay",
    "talk",
    "view",
)


if not TYPE_CHECKING:  # to a type checker that sees it every name is one, also a misspelt one

    def __getattr__(name: str) -> object:
        """Load a name when it is first used; `durak --help` shall not wait for gRPC to load."""
        if name in __all__:
            for home in _HOMES:
                module = import_module(f"{__name__}.{home}")
                if hasattr(module, name):
                    return getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return what can be completed: also the names that are not loaded yet."""
    return sorted({*globals(), *__all__})
