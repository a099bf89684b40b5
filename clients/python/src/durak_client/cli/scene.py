"""What the player sees at one moment, as a value."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto

from durak_client.cards import Card
from durak_client.cli.teller import Teller
from durak_client.cli.words import partners_of
from durak_client.events import Update
from durak_client.matches import MatchInfo
from durak_client.view import View

_REMEMBERED = 12


class Page(Enum):
    """What fills the screen."""

    TABLE = auto()
    HELP = auto()
    QUIT = auto()


@dataclass(frozen=True, slots=True)
class Scene:
    """The match as last seen, what has been told about it and what the player is told now.

    `news` are the sentences of the last step, `story` the last twelve of all; `notice` is an
    answer to what the player did, or what happened to the connection. `now` is when it is looked
    at, for the clocks; None shows none. `elsewhere` is what a command has to say besides to go to
    the same server.
    """

    info: MatchInfo | None = None
    view: View | None = None
    story: tuple[str, ...] = ()
    news: tuple[str, ...] = ()
    notice: str = ""
    page: Page = Page.TABLE
    now: datetime | None = None
    elsewhere: str = ""

    @property
    def me(self) -> int | None:
        """The player's seat, None for a spectator."""
        return self.view.seat if self.view is not None else None

    @property
    def is_my_turn(self) -> bool:
        """Whether the player is asked for a move."""
        return self.view is not None and bool(self.view.legal_moves)

    @property
    def has_clock(self) -> bool:
        """Whether somebody's time runs."""
        deal = self.view.deal if self.view is not None else None
        return deal is not None and any(seat.deadline for seat in deal.seats)

    @property
    def partners(self) -> tuple[int, ...]:
        """The seats on the player's side but his own; none where everyone plays for himself."""
        if self.info is None or self.view is None:
            return ()
        return partners_of(self.info.rules, len(self.view.seats), self.me)

    def after(self, update: Update, show: Callable[[Card], str] = str) -> "Scene":
        """Return the scene after an update; cards in sentences are written by `show`."""
        view, info = update.view or self.view, update.info or self.info
        news: tuple[str, ...] = ()
        if view is not None:
            partners = replace(self, info=info, view=view).partners
            teller = Teller(view, view.seat, show, partners)
            told = (teller.tell(event.fact) for event in update.events)
            news = tuple(sentence for sentence in told if sentence)
            # Who comes to a match in its middle is not told all of it.
            news = news[-_REMEMBERED:] if self.view is None else news
        return replace(
            self,
            info=info,
            view=view,
            story=(self.story + news)[-_REMEMBERED:],
            news=news,
            notice="",
        )

    def telling(self, notice: str) -> "Scene":
        """Return the scene with another notice beside what is new."""
        return replace(self, notice=notice)

    def noticing(self, notice: str, page: Page = Page.TABLE) -> "Scene":
        """Return the scene with another notice and page, and nothing new told."""
        return replace(self, news=(), notice=notice, page=page)
