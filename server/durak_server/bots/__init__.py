"""House bots; each sees what a player in its seat sees."""
