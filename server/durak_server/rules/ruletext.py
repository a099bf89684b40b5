"""A rule set as short text: a preset, then every option that differs from it.

podkidnoy,seats=4,retract=true,dump=MAY
"""

from dataclasses import fields
from functools import lru_cache

from durak_server.rules.options import RuleSet
from durak_server.rules.presets import Preset, preset


@lru_cache(maxsize=1024)
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
    return preset(name, **options)


def _differences(rules: RuleSet, base: RuleSet) -> list[str]:
    found = []
    for name in (field.name for field in fields(RuleSet)):
        value = getattr(rules, name)
        if value != getattr(base, name):
            found.append(f"{name}={str(value).lower() if isinstance(value, bool) else value}")
    return found
