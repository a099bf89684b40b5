"""The whole screen of a match, as a function of the scene; made for 80 by 24."""

import math
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from durak_client.cards import Card
from durak_client.cli import talk_words, words
from durak_client.cli.card_drawing import (
    NUMBER,
    face,
    hand_in_words,
    hand_rows,
    with_red_suits,
)
from durak_client.cli.choices import Choice, choices, sorted_hand
from durak_client.cli.scene import Page, Scene
from durak_client.cli.table_drawing import bout_drawing, seats_drawing
from durak_client.matches import MatchInfo, MatchStatus, PlayerKind
from durak_client.moves import MoveKind
from durak_client.view import Deal, View

_ROWS_OF_TABLE = 9  # the title, the seats and the bout
_ROWS_BESIDE_STORY = 17
_LONGEST_STORY = 12


def draw(scene: Scene, typed: str, width: int, height: int) -> RenderableType:
    """Return the screen; `typed` is what stands at the prompt."""
    view = scene.view
    foot = (_notice(scene), _prompt(scene, typed))
    if scene.page is Page.HELP:
        body: RenderableType = _help_page(scene)
    elif view is None or view.deal is None:
        body = _lobby(scene)
    else:
        rows = sum(max(1, math.ceil(line.cell_len / width)) for line in foot)
        body = _table(scene, view, view.deal, width, height - rows)
    return Group(body, *foot)


def _table(scene: Scene, view: View, deal: Deal, width: int, height: int) -> RenderableType:
    """Return the table in `height` rows: less of the story, or the hand in words, if need be."""
    numbered = choices(view)
    moves = list(_moves(numbered, width))
    room = height - _ROWS_OF_TABLE - len(moves)
    hand = _hand(view, numbered, width, room)
    told = min(max(height - _ROWS_BESIDE_STORY, 2), _LONGEST_STORY, max(room - len(hand), 0))
    return Group(
        _title(scene, view, deal),
        seats_drawing(view, deal, width, scene.now, scene.partners),
        bout_drawing(deal, width),
        *_story(scene, told),
        *hand,
        *moves,
    )


def _title(scene: Scene, view: View, deal: Deal) -> RenderableType:
    preset = scene.info.preset.word.capitalize() if scene.info else "Durak"
    title = f"{preset} · deal {deal.number} · bout {deal.bout}"
    if view.seat is not None and (role := words.role_in_words(deal, view.seat, to_himself=True)):
        title += f" · {role}"
    if view.seat is not None and (left := words.time_left(deal, view.seat, scene.now)):
        title += f" · {left}"
    return Rule(Text(title, "bold"), style="grey50", align="left")


def _story(scene: Scene, told: int) -> Iterator[RenderableType]:
    """Yield `told` rows, the newest sentence last and brightest."""
    sentences = scene.story[len(scene.story) - min(told, len(scene.story)) :]
    for _ in range(told - len(sentences)):
        yield Text()
    for place, sentence in enumerate(sentences, 1):
        style = "" if place == len(sentences) else "grey62"
        yield with_red_suits(sentence, style)


def _hand(view: View, numbered: tuple[Choice, ...], width: int, height: int) -> list[Text]:
    """Return rows with the hand, drawn if there is room for that; none for a spectator."""
    if view.seat is None:
        return []
    numbers: dict[Card, str] = {}
    for choice in numbered:
        for card in choice.move.cards:
            said = numbers.get(card)
            numbers[card] = f"{said},{choice.number}" if said else str(choice.number)
    hand = sorted_hand(view.hand, view.trump)
    drawn = hand_rows(hand, numbers, width)
    return drawn if len(drawn) <= height else hand_in_words(hand, numbers, width)


def _moves(numbered: tuple[Choice, ...], width: int) -> Iterator[Text]:
    """Yield rows with the legal moves by number, those of one kind together."""
    line = Text()
    for word in _move_words(numbered):
        if line and line.cell_len + word.cell_len > width:
            yield line
            line = Text("  ")
        line.append_text(word)
    if line:
        yield line


def _move_words(numbered: tuple[Choice, ...]) -> Iterator[Text]:
    """Yield what must not be broken by a row's end: `Beat 9♦ with`, `1 J♦`."""
    by_intent = sorted(numbered, key=_intent)
    for kind, target in dict.fromkeys(map(_intent, by_intent)):
        verb = words.VERBS.get(kind, kind.word).capitalize()
        group = [choice for choice in by_intent if _intent(choice) == (kind, target)]
        if not group[0].move.cards:
            yield Text.assemble((f"{group[0].number}", NUMBER), f" {verb}  ")
            continue
        yield Text.assemble(f"{verb} ", *((face(Card(target)), " with ") if target else ()))
        for choice in group:
            yield Text.assemble((f"{choice.number}", NUMBER), " ", face(choice.move.cards[0]), "  ")


def _intent(choice: Choice) -> tuple[MoveKind, int]:
    target = choice.move.target
    return choice.move.kind, target.number if target is not None else 0


def _notice(scene: Scene) -> Text:
    if scene.page is Page.QUIT:
        return Text(words.LEAVE_OR_STAY, "yellow")
    return with_red_suits(scene.notice, "yellow") if scene.notice else Text()


def _prompt(scene: Scene, typed: str) -> Text:
    view = scene.view
    if scene.page is Page.HELP:
        hint = words.HELP_ENDS
    elif view is None or view.seat is None:
        hint = words.TO_WATCH
    elif scene.is_my_turn:
        hint = f"{words.PROMPT} ({words.TO_PLAY})"
    else:
        hint = waiting(view)
    return Text.assemble((hint, "dim"), (" > ", "bold green"), (typed, "bold"), ("▏", "green"))


def waiting(view: View) -> str:
    """Return whom the table waits for."""
    if view.deal is None:
        return words.TO_HOST if view.status == MatchStatus.OPEN else words.TO_WAIT
    if view.status.is_over:
        return words.MATCH_OVER
    actors = [seat.seat for seat in view.deal.seats if seat.may_act]
    names = ", ".join(view.name_of(seat) for seat in actors)
    return words.WAITING.format(names=names or "the next deal")


def _lobby(scene: Scene) -> RenderableType:
    """Return the seats of a match that has not started."""
    if scene.info is None:
        return Text()
    seats = scene.view.seats if scene.view is not None else scene.info.seats
    rows = [_title_of_lobby(scene.info)]
    for seat in seats:
        name = seat.name or words.FREE_SEAT
        kind = " (bot)" if seat.kind == PlayerKind.BOT else ""
        ready = words.READY if seat.is_ready else ""
        rows.append(Text(f"  {seat.seat + 1}  {name}{kind}{ready}", "dim" if seat.is_free else ""))
    code = scene.info.invite_code or scene.info.match_id
    said = words.OPEN_SEATS.format(code=code, elsewhere=scene.elsewhere)
    return Group(*rows, Text(), Text(said))


def _title_of_lobby(info: MatchInfo) -> Text:
    return Text(f"{info.preset.word.capitalize()} for {len(info.seats)}", "bold")


def _help_page(scene: Scene) -> RenderableType:
    kinds = [group.kind for group in scene.view.legal_moves] if scene.view else []
    rows = [with_red_suits(line) for line in help_lines(kinds)]
    return Group(Text("Help", "bold"), Text(), *rows, Text())


def help_lines(kinds: list[MoveKind]) -> list[str]:
    """Return what the player may do now and how to type it."""
    known = dict.fromkeys(kind for kind in kinds if kind in words.MEANINGS)
    meant = [f"{words.VERBS[kind].capitalize()}: {words.MEANINGS[kind]}" for kind in known]
    return [*meant, *words.HELP, talk_words.HELP]
