"""Draw `docs/images/durak-play.svg`: what `durak play` shows in the middle of a real match.

A server is started, a guest plays against two house bots, and the screen is drawn when it is his
turn to defend with something on the table. The picture asks for no font and nothing else from
outside.
"""

import asyncio
import io
import random
import re
import sys
from contextlib import aclosing
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from durak_client import Client, Match, play
from durak_client.cli.scene import Scene
from durak_client.cli.screen import draw
from durak_server.app import serving
from durak_server.config import load_settings
from durak_server.observe.logs import set_up_logging

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "images" / "durak-play.svg"
WIDTH, HEIGHT = 80, 24
MOST_MATCHES = 50

FONT_FACE = re.compile(r"@font-face\s*\{.*?\}\s*", re.DOTALL)
FONT_FAMILY = re.compile(r"font-family:[^;]*;")
FONTS = "font-family: 'DejaVu Sans Mono', Menlo, Consolas, ui-monospace, monospace;"
OUTSIDE = re.compile(r"@import|url\((?!#)|(?:href|src)=\"(?!#)")

THEME = TerminalTheme(
    (24, 26, 31),
    (214, 217, 224),
    [
        *((40, 43, 51), (224, 85, 97), (140, 194, 101), (229, 192, 87)),
        *((97, 150, 226), (198, 120, 221), (86, 182, 194), (200, 204, 212)),
    ],
    [
        *((92, 99, 112), (255, 107, 117), (165, 224, 117), (240, 208, 110)),
        *((120, 170, 245), (222, 140, 240), (110, 205, 215), (255, 255, 255)),
    ],
)


async def main() -> None:
    """Play until there is a scene worth a picture, and draw it."""
    set_up_logging("error", as_json=False)
    settings = load_settings(
        listen="127.0.0.1:0",
        metrics_listen="",
        store="memory",
        bot_delay_min_seconds=0,
        bot_delay_max_seconds=0,
        drain_settle_seconds=0,
    )
    async with (
        serving(settings) as server,
        await Client.connect(f"127.0.0.1:{server.port}", name="Vasya") as client,
    ):
        scene = await worthy_scene(client)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(picture_of(scene), encoding="utf-8")
    print(f"drew {PICTURE}")


async def worthy_scene(client: Client) -> Scene:
    """Play matches at random until one has a scene worth a picture; return the scene."""
    for _ in range(MOST_MATCHES):
        match = await client.create_match("perevodnoy", seats=3, start_when_full=True)
        for _ in range(2):
            await match.add_bot("lowest")
        playing = asyncio.create_task(
            play(client, match, lambda view: random.choice(view.legal_moves))
        )
        if (scene := await first_worthy_scene(match)) is not None:
            playing.cancel()
            return scene
        await playing
    sys.exit(f"none of {MOST_MATCHES} matches had a scene worth a picture")


async def first_worthy_scene(match: Match) -> Scene | None:
    """Return the first scene of the match worth a picture, as its player saw it."""
    scene = Scene()
    async with aclosing(match.follow()) as updates:
        async for update in updates:
            scene = scene.after(update)
            if is_worthy(scene):
                return scene
    return None


def is_worthy(scene: Scene) -> bool:
    """Return whether the scene shows what the game is about."""
    view = scene.view
    if view is None or view.deal is None or view.deal.defender != view.seat:
        return False
    covered = [pair.cover is not None for pair in view.deal.table]
    return sum(covered) >= 2 and not all(covered) and len(view.legal_moves) >= 2


def picture_of(scene: Scene) -> str:
    """Return the scene as an SVG that needs nothing from outside."""
    console = Console(
        width=WIDTH, height=HEIGHT, file=io.StringIO(), record=True, force_terminal=True
    )
    console.print(draw(scene, "", WIDTH, HEIGHT))
    svg = console.export_svg(title="durak play", theme=THEME, unique_id="durak")
    svg = FONT_FAMILY.sub(FONTS, FONT_FACE.sub("", svg))
    if found := OUTSIDE.search(svg):
        sys.exit(f"the picture would load something: {found[0]}")
    return svg


if __name__ == "__main__":
    asyncio.run(main())
