"""Cards as a terminal draws them."""

from collections.abc import Mapping, Sequence

from rich.text import Text

from durak_client.cards import Card, Suit
from durak_client.view import TablePair

RED, BLACK, EDGE, BACK, NUMBER = "bold bright_red", "bold", "grey62", "blue", "bold yellow"
CARD_WIDTH = 5
PAIR_WIDTH = 9


def face(card: Card) -> Text:
    """Return the card as a word, red suits in red."""
    return Text(str(card), RED if card.is_red else BLACK)


def with_red_suits(sentence: str, style: str = "") -> Text:
    """Return a sentence in which cards of red suits are red."""
    text = Text(sentence, style)
    text.highlight_regex(r"(?:10|[2-9JQKA])?[♥♦]", RED)
    return text


def pair_rows(pair: TablePair) -> list[Text]:
    """Return the four rows of an attack card, under its cover if it has one."""
    top, bottom = Text("╭───╮", EDGE), Text("╰───╯", EDGE)
    attack = _middle(pair.attack)
    if pair.cover is None:
        rows = [top, attack, bottom, Text()]
    else:
        rows = [
            top.copy(),
            Text.assemble(attack[:4], top),
            Text.assemble(("╰───", EDGE), _middle(pair.cover)),
            Text.assemble("    ", bottom),
        ]
    for row in rows:
        row.pad_right(PAIR_WIDTH - row.cell_len)
    return rows


def stock_rows(stock: int, trump: Suit, trump_card: Card | None) -> list[Text]:
    """Return the four rows of the stock with the open trump under it, or what is left of them."""
    sign = Text(trump.sign, RED if trump.is_red else BLACK)
    if stock == 0 or trump_card is None:
        return [Text(), Text.assemble("trump ", sign), Text("no stock", "dim"), Text()]
    back = 0 if stock == 1 else 1
    return [
        Text("╭───" * back + "╭───╮", EDGE),
        Text.assemble(("│" * back, EDGE), ("▒▒▒" * back, BACK), _middle(trump_card)),
        Text("╰───" * back + "╰───╯", EDGE),
        Text.assemble(f"{stock} left ", sign),
    ]


def hand_rows(cards: Sequence[Card], numbers: Mapping[Card, str], width: int) -> list[Text]:
    """Return a hand as rows of cards with the numbers of their moves below, 4 rows for each.

    A hand too long for one row of `width` cells becomes rows of words: one row for each.
    """
    step = CARD_WIDTH + 1 if len(cards) * (CARD_WIDTH + 1) <= width else CARD_WIDTH
    if len(cards) * step > width:
        return hand_in_words(cards, numbers, width)
    rows = [Text(), Text(), Text(), Text()]
    for card in cards:
        edge = EDGE if card in numbers else "grey35"
        middle = _middle(card, edge)
        label = Text(numbers.get(card, "").center(CARD_WIDTH), NUMBER)
        for row, part in zip(
            rows, (Text("╭───╮", edge), middle, Text("╰───╯", edge), label), strict=True
        ):
            row.append_text(part)
            row.append(" " * (step - CARD_WIDTH))
    return rows


def hand_in_words(cards: Sequence[Card], numbers: Mapping[Card, str], width: int) -> list[Text]:
    """Return a hand as rows of words, each card with the numbers of its moves."""
    rows = [Text()]
    for card in cards:
        word = face(card)
        if card in numbers:
            word = Text.assemble((f"{numbers[card]}:", NUMBER), word)
        if rows[-1].cell_len + word.cell_len + 1 > width:
            rows.append(Text())
        rows[-1].append_text(word).append(" ")
    return rows


def _middle(card: Card, edge: str = EDGE) -> Text:
    """Return the middle row of a card: three cells for the face."""
    inside = face(card)
    inside.pad_right(3 - inside.cell_len)
    return Text.assemble(("│", edge), inside, ("│", edge))
