"""Tables and deals as SVG, written by hand: no font, no image and nothing else is loaded."""
