"""What shows a match to a person and takes what he types."""

from types import TracebackType
from typing import Protocol, Self

from durak_client.cards import Card
from durak_client.cli.scene import Scene


class Front(Protocol):
    """A way to show a match: a drawn table, or plain lines.

    It is open inside `async with`, and only then shows and reads anything.
    """

    @property
    def is_interactive(self) -> bool:
        """Whether a person can be expected to come back after the end of input."""

    @property
    def stays(self) -> bool:
        """Whether what was shown can still be read after the end."""

    def show_card(self, card: Card) -> str:
        """Return a card as sentences name it."""

    def show(self, scene: Scene) -> None:
        """Show what changed; returns at once."""

    async def read_line(self) -> str | None:
        """Return the next line typed, None once there will be none."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
