"""Options of `durak play --open` that say who gets a seat."""

from datetime import timedelta
from typing import Annotated

import typer

from durak_client.admission import Admission

Reserve = Annotated[
    list[str] | None,
    typer.Option(metavar="ID", help="With --open: keep a seat for this player; may be repeated."),
]
ReserveForCode = Annotated[
    int, typer.Option(min=0, max=5, help="With --open: keep so many seats for who has the code.")
]
InviteMinutes = Annotated[
    int | None,
    typer.Option(min=1, max=43_200, help="With --open: for so long the code is taken."),
]


def admission(
    password: str,
    *,
    ready: bool,
    reserve: list[str] | None,
    reserve_for_code: int,
    invite_minutes: int | None,
) -> Admission:
    """Return what the options ask of those who want a seat."""
    return Admission(
        password=password,
        invite_lifetime=timedelta(minutes=invite_minutes) if invite_minutes else None,
        require_ready=ready,
        reserved_for=tuple(reserve or ()),
        reserved_for_code=reserve_for_code,
    )
