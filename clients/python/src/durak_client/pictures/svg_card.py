"""Cards as SVG: faces, backs, and what they are made of."""

from durak_client.cards import Card, Suit
from durak_client.pictures.suit_paths import STAR_PATH, SUIT_PATHS

WIDTH, HEIGHT = 60, 84
"""The size of a card before it is scaled."""

_INK = {True: "#c8102e", False: "#16181d"}
_FONT = 'font-family="Georgia, \'DejaVu Serif\', serif" font-weight="bold"'


def definitions() -> str:
    """Return what the cards of a picture refer to: signs of suits and the pattern of backs."""
    signs = "".join(
        f'<symbol id="{suit.word}" viewBox="0 0 100 100"><path d="{path}"/></symbol>'
        for suit, path in SUIT_PATHS.items()
    )
    return (
        f"{signs}"
        f'<symbol id="joker" viewBox="0 0 100 100"><path d="{STAR_PATH}"/></symbol>'
        '<pattern id="lattice" width="8" height="8" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><rect width="8" height="8" fill="#1f3a73"/>'
        '<path d="M0 0H8M0 0V8" stroke="#5f7fc4" stroke-width="1.4"/></pattern>'
    )


def face(card: Card, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """Return a card face up, its upper left corner at `x`, `y`, turned by degrees."""
    ink = _INK[card.is_red]
    rank = "" if card.is_joker else str(card)[:-1]
    return _placed(
        _sheet("#fdfcf7")
        + f'<g fill="{ink}">'
        + f'<text x="5" y="19" font-size="18" {_FONT}>{rank}</text>'
        + sign(card, 5.5, 23, 13)
        + sign(card, 17, 32, 30)
        + "</g>",
        (x, y),
        scale,
        turn,
    )


def back(x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """Return a card face down; as `face`."""
    lattice = '<rect x="4" y="4" width="52" height="76" rx="4" fill="url(#lattice)"/>'
    return _placed(_sheet("#f4f1e6") + lattice, (x, y), scale, turn)


def sign(card: Card, x: float, y: float, size: float) -> str:
    """Return the sign of a card's suit, or a joker's, in the ink of what it stands in."""
    name = "joker" if card.is_joker else card.suit.word
    return f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"/>'


def suit_sign(suit: Suit, x: float, y: float, size: float) -> str:
    """Return the sign of a suit in its own ink, lightened for dark ground."""
    ink = "#ff8a8a" if suit.is_red else "#f2f2f2"
    return (
        f'<use href="#{suit.word}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"'
        f' fill="{ink}"/>'
    )


def _sheet(paper: str) -> str:
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{paper}" stroke="#000"'
        ' stroke-opacity="0.33" stroke-width="0.8"/>'
    )


def _placed(drawing: str, at: tuple[float, float], scale: float, turn: float) -> str:
    x, y = at
    turned = f" rotate({turn:g} {WIDTH / 2:g} {HEIGHT / 2:g})" if turn else ""
    scaled = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:.4g} {y:.4g}){scaled}{turned}">{drawing}</g>'
