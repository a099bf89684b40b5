"""A rule set as short text: a preset, then every option that differs from it.

podkidnoy,seats=4,retract=true,dump=MAY
"""

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Final, TypeAlias

from durak_server.rules.options import RuleSet
from durak_server.rules.presets import Preset, preset

OptionValue: TypeAlias = bool | int | StrEnum

_DEFAULTS: Final[Mapping[str, OptionValue]] = {
    field.name: getattr(RuleSet(), field.name) for field in fields(RuleSet)
}


def format_rules(rules: RuleSet) -> str:
    """Return the rule set as text, from the preset that needs the fewest options named."""
    texts = [",".join((name.value, *_differences(rules, preset(name)))) for name in Preset]
    return min(texts, key=lambda text: text.count(","))


def parse_rules(text: str) -> RuleSet:
    """Return the rule set that `format_rules` wrote.

    Raises:
        ValueError: there is no such preset, option or value.
    """
    name, *differences = text.split(",")
    options = dict(difference.partition("=")[::2] for difference in differences)
    return preset(name, **{key: option_value(key, value) for key, value in options.items()})


def option_value(name: str, value: object) -> OptionValue:
    """Return the value of an option given as text, or as the bool or int that it is.

    Raises:
        ValueError: there is no such option, or it has no such value.
    """
    default = _DEFAULTS.get(name)
    if default is None:
        raise ValueError(f"no such option: {name}")
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise ValueError(f"{name} is true or false, not {text}")
        return text == "true"
    if isinstance(default, int):
        return int(text)
    if isinstance(value, bool):
        text = "on" if value else "off"  # YAML reads the words on and off as truth values
    return type(default)(text)


def _differences(rules: RuleSet, base: RuleSet) -> list[str]:
    found = []
    for name in _DEFAULTS:
        value = getattr(rules, name)
        if value != getattr(base, name):
            found.append(f"{name}={str(value).lower() if isinstance(value, bool) else value}")
    return found
