"""Words in pictures, and the sheet that they and the cards lie on."""

from html import escape

from durak_client.pictures.svg_card import definitions

FELT, CREAM, AMBER, SKY, CORAL, FADED = (
    *("#14532d", "#f4f1e6", "#ffc857", "#8ecbff", "#ff8a8a", "#b9cdbf"),
)
_FONT = "font-family=\"'Segoe UI', 'DejaVu Sans', Helvetica, sans-serif\""


def words(
    text: str, x: float, y: float, *, size: int = 16, ink: str = CREAM, anchor: str = "middle"
) -> str:
    """Return a line of text whose `anchor` (start, middle or end) is at `x`, its base at `y`."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}" text-anchor="{anchor}"'
        f" {_FONT}>{escape(text)}</text>"
    )


def sheet(width: int, height: int, title: str, drawing: str) -> str:
    """Return the whole file: green felt, and the drawing on it; `title` is for who cannot see."""
    felt = (
        '<radialGradient id="felt" cx="50%" cy="45%" r="75%">'
        '<stop offset="0" stop-color="#1f7a45"/>'
        f'<stop offset="1" stop-color="{FELT}"/></radialGradient>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img"><title>{escape(title)}</title>'
        f"<defs>{felt}{definitions()}</defs>"
        f'<rect width="{width}" height="{height}" rx="24" fill="url(#felt)"/>\n{drawing}\n</svg>\n'
    )
