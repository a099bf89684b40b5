"""The whole screen of a match, as a function of the scene; made for 80 by 24."""

from collections.abc import Iterator
from itertools import groupby

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from durak_client.cards import Card
from durak_client.cli import words
from durak_client.cli.card_drawing import NUMBER, face, hand_rows, with_red_suits
from durak_client.cli.choices import Choice, choices, sorted_hand
from durak_client.cli.scene import Page, Scene
from durak_client.cli.table_drawing import bout_drawing, seats_drawing
from durak_client.matches import MatchInfo, PlayerKind
from durak_client.moves import Move, MoveKind
from durak_client.view import Deal, View

_ROWS_BESIDE_STORY = 20


def draw(scene: Scene, typed: str, width: int, height: int) -> RenderableType:
    """Return the screen; `typed` is what stands at the prompt."""
    view = scene.view
    if scene.page is Page.HELP:
        body: RenderableType = _help_page(scene)
    elif view is None or view.deal is None:
        body = _lobby(scene)
    else:
        body = _table(scene, view, view.deal, width, height)
    return Group(body, _notice(scene), _prompt(scene, typed))


def _table(scene: Scene, view: View, deal: Deal, width: int, height: int) -> RenderableType:
    told = max(height - _ROWS_BESIDE_STORY, 2)
    numbered = choices(view)
    parts: list[RenderableType] = [
        _title(scene, view, deal),
        seats_drawing(view, deal, width),
        bout_drawing(deal, width),
        *_story(scene, told),
    ]
    if view.seat is not None:
        parts.append(Text("\n").join(_hand(view, numbered, width)))
    parts.extend(_moves(numbered))
    return Group(*parts)


def _title(scene: Scene, view: View, deal: Deal) -> RenderableType:
    preset = scene.info.preset.word.capitalize() if scene.info else "Durak"
    title = f"{preset} · deal {deal.number} · bout {deal.bout}"
    role = ""
    if view.seat is not None:
        role = words.role_in_words(deal, view.seat, to_himself=True)
    mine = f" · you {role}" if role else ""
    return Rule(Text(title + mine, "bold"), style="grey50", align="left")


def _story(scene: Scene, told: int) -> Iterator[RenderableType]:
    """Yield `told` rows, the newest sentence last and brightest."""
    sentences = scene.story[-told:]
    for _ in range(told - len(sentences)):
        yield Text()
    for place, sentence in enumerate(sentences, 1):
        style = "" if place == len(sentences) else "grey62"
        yield with_red_suits(sentence, style)


def _hand(view: View, numbered: tuple[Choice, ...], width: int) -> list[Text]:
    numbers: dict[Card, str] = {}
    for choice in numbered:
        for card in choice.move.cards:
            said = numbers.get(card)
            numbers[card] = f"{said},{choice.number}" if said else str(choice.number)
    return hand_rows(sorted_hand(view.hand, view.trump), numbers, width)


def _moves(numbered: tuple[Choice, ...]) -> Iterator[RenderableType]:
    """Yield the legal moves by number, those of one kind together."""
    line = Text()
    by_intent = sorted(numbered, key=lambda choice: _intent(choice.move))
    for (kind, target), group in groupby(by_intent, key=lambda choice: _intent(choice.move)):
        if line:
            line.append("  ")
        line.append_text(_intent_in_words(kind, target, tuple(group)))
    if numbered:
        yield line


def _intent(move: Move) -> tuple[MoveKind, int]:
    return move.kind, move.target.number if move.target else 0


def _intent_in_words(kind: MoveKind, target: int, group: tuple[Choice, ...]) -> Text:
    verb = words.VERBS.get(kind, kind.word).capitalize()
    if not group[0].move.cards:
        return Text(str(group[0].number), NUMBER) + Text(f" {verb}")
    text = Text(verb)
    if target:
        text += Text(" ") + face(Card(target)) + Text(" with")
    for choice in group:
        text += Text(f" {choice.number}", NUMBER) + Text(" ") + face(choice.move.cards[0])
    return text


def _notice(scene: Scene) -> RenderableType:
    if scene.page is Page.QUIT:
        return Text(words.LEAVE_OR_STAY, "yellow")
    return with_red_suits(scene.notice, "yellow") if scene.notice else Text()


def _prompt(scene: Scene, typed: str) -> RenderableType:
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
    actors = [seat.seat for seat in view.deal.seats if seat.may_act] if view.deal else []
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
        rows.append(Text(f"  {seat.seat + 1}  {name}{kind}", "dim" if seat.is_free else ""))
    code = scene.info.invite_code or scene.info.match_id
    return Group(*rows, Text(), Text(words.OPEN_SEATS.format(code=code)))


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
    return [*meant, *words.HELP]
