"""The alert rules as they stand, but that a minute lasts a second."""

import re

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_HURRY = 60
_WINDOW = re.compile(r"\[(\d+)([smhd])\]")
_WAIT = re.compile(r"^(\s+for: )(\d+)([smhd])$", re.MULTILINE)


def hurried(rules: str) -> str:
    """Return the text of rules with all windows and waiting times a sixtieth as long."""
    rules = _WINDOW.sub(lambda found: f"[{_shorter(found[1], found[2])}]", rules)
    return _WAIT.sub(lambda found: f"{found[1]}{_shorter(found[2], found[3])}", rules)


def _shorter(number: str, unit: str) -> str:
    return f"{int(number) * _SECONDS[unit] * 1000 // _HURRY}ms"
