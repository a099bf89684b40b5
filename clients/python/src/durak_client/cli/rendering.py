"""`durak render`: a table, or a whole deal, as a picture."""

from pathlib import Path

import typer

from durak_client.cli import words
from durak_client.cli.replay_place import Place
from durak_client.cli.replaying import Past, past
from durak_client.cli.seating import Access
from durak_client.pictures.bout_story import deal_story
from durak_client.pictures.svg_deal import deal_picture
from durak_client.pictures.svg_table import table_picture


async def render_table(
    access: Access, match_or_file: str, at: int, *, seat: int | None, output: Path
) -> None:
    """Write the table after the event `at`, 0 for the last, as SVG.

    Raises:
        ValueError: there is no such event, or no cards are dealt there.
    """
    async with past(access, match_or_file) as found:
        sequence = at or found.replay.last
        if sequence > found.replay.last:
            raise ValueError(words.NO_EVENT.format(at=at, last=found.replay.last))
        view = await found.view(Place(sequence, seat, found.replay.open_cards and seat is None))
    deal, bout = (view.deal.number, view.deal.bout) if view.deal is not None else (0, 0)
    title = words.TABLE_TITLE.format(rules=_rules(found), deal=deal, bout=bout, event=sequence)
    _write(table_picture(view, title), output)


async def render_deal(access: Access, match_or_file: str, number: int, output: Path) -> None:
    """Write a deal as SVG.

    Raises:
        ValueError: there is no such deal.
    """
    async with past(access, match_or_file) as found:
        story = deal_story(found.replay.events, number)
        view = await found.view(Place(found.replay.last, None, found.replay.open_cards))
    if story is None:
        raise ValueError(words.NO_DEAL.format(number=number))
    title = words.DEAL_TITLE.format(rules=_rules(found), deal=number)
    _write(deal_picture(story, view.name_of, title), output)


def _rules(found: Past) -> str:
    return found.replay.info.preset.word.capitalize()


def _write(picture: str, output: Path) -> None:
    output.write_text(picture, encoding="utf-8")
    typer.echo(words.DRAWN.format(file=output))
