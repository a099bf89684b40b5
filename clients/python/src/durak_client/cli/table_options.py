"""What `durak` offers by name: rules and house bots."""

from enum import StrEnum


class PresetName(StrEnum):
    """The presets that `durak play` offers."""

    PODKIDNOY = "podkidnoy"
    PEREVODNOY = "perevodnoy"
    PODKIDNOY_FOLK = "podkidnoy_folk"
    PEREVODNOY_FOLK = "perevodnoy_folk"
    PROSTOY = "prostoy"
    JAPANESE = "japanese"
    ONLINE = "online"


class BotName(StrEnum):
    """The house bots."""

    LOWEST = "lowest"
    RANDOM = "random"


PRESETS = f"The rules: {', '.join(PresetName)}."
