"""What the commands do, once their options are read."""

import sys

import typer

from durak_client.cli import words
from durak_client.cli.front import Front
from durak_client.cli.plain_front import PlainFront
from durak_client.cli.rematching import Rematching
from durak_client.cli.scene import Scene
from durak_client.cli.seating import (
    Access,
    Seat,
    sign_in,
    take_seat,
)
from durak_client.cli.sitting import Ending, Sitting
from durak_client.match import Match
from durak_client.matches import MatchStatus


async def play_match(access: Access, seat: Seat, *, plain: bool) -> None:
    """Take a seat and play until the match is over or the player goes."""
    async with await sign_in(access) as client:
        match = await take_seat(client, seat)
        await _sit(match, access, plain)


async def watch_match(access: Access, match_id: str, *, plain: bool) -> None:
    """Watch a match until it is over or the watcher goes."""
    async with await sign_in(access) as client:
        await _sit(client.match(match_id), access, plain)


async def _sit(match: Match, access: Access, plain: bool) -> None:
    """Show the match, and those that follow it if all want more; then say how it went."""
    sitting: Sitting | None = None
    ending = Ending.KEPT
    following: Match | None = match
    front = _front(plain)
    try:
        async with front:
            while following is not None:
                ending, sitting = Ending.KEPT, Sitting(following, front, access.elsewhere)
                ending = await sitting.run()
                following = await _another(following, front, sitting.scene, ending)
    finally:
        if sitting is not None:
            _say_farewell(sitting.scene, ending, front)
            if ending is Ending.OVER and front.is_interactive:
                typer.echo(_way_back(sitting.scene, access))


async def _another(match: Match, front: Front, scene: Scene, ending: Ending) -> Match | None:
    """Return the match that follows, if the player, who must be able to answer, wants one."""
    is_finished = scene.view is not None and scene.view.status == MatchStatus.FINISHED
    if ending is Ending.OVER and is_finished and scene.me is not None and front.is_interactive:
        return await Rematching(match, front, scene).run()
    return None


def _say_farewell(scene: Scene, ending: Ending, front: Front) -> None:
    """Say what the player has not read yet, or cannot read any more."""
    if ending is Ending.LEFT:
        typer.echo(words.LEFT)
    elif ending is Ending.KEPT and scene.me is not None:
        typer.echo(words.KEPT.format(elsewhere=scene.elsewhere))
    elif scene.view is not None and ending is Ending.OVER:
        times = [seat.times_fool for seat in scene.view.seats]
        result = words.last_result_in_words(scene.view, scene.me)
        score = words.score_in_words(times, scene.view, scene.me)
        for said in filter(None, (result, score)):
            if not (front.stays and said in scene.story):
                typer.echo(said)


def _way_back(scene: Scene, access: Access) -> str:
    """Say by which command the match that is over can be looked at."""
    match_id = scene.view.match_id if scene.view is not None else ""
    return words.LOOK_BACK.format(match=match_id, elsewhere=access.elsewhere)


def _front(plain: bool) -> Front:
    """Return the drawn front where there is a terminal for it, else the plain one."""
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()) or sys.platform == "win32":
        return PlainFront()
    # Needs termios, which Windows has not.
    from durak_client.cli.drawn_front import DrawnFront  # noqa: PLC0415  # see above

    return DrawnFront()
