"""The named rule sets (rules.md, 12)."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from durak_server.rules.options import (
    DrawOrder,
    Dump,
    Endgame,
    FirstBoutCap,
    Leave,
    OnTimeout,
    Overthrow,
    Places,
    RedealRight,
    RuleSet,
    ThrowIn,
    ThrowInPriority,
    TransferHandCheck,
    Trump,
    option_value,
)


class Preset(StrEnum):
    """The rule sets that have a name."""

    PODKIDNOY = "podkidnoy"
    PEREVODNOY = "perevodnoy"
    PODKIDNOY_FOLK = "podkidnoy_folk"
    PEREVODNOY_FOLK = "perevodnoy_folk"
    PROSTOY = "prostoy"
    JAPANESE = "japanese"
    ONLINE = "online"


_FOLK: Final = RuleSet(
    throw_in_after_take=False,
    overthrow=Overthrow.RETURN_EXCESS,
    retract=True,
    dump=Dump.MAY,
    draw_order=DrawOrder.LEADER_LEFT_OF_DEFENDER,
    endgame=Endgame.FIRST_OUT_WINS,
    places=Places.FOOL_ONLY,
    redeal_right=RedealRight.SIX_SAME_SUIT,
    leave=Leave.RESTART_DEAL,
)

_RULE_SETS: Final[Mapping[Preset, RuleSet]] = {
    Preset.PODKIDNOY: RuleSet(),
    Preset.PEREVODNOY: RuleSet(transfer=True),
    Preset.PODKIDNOY_FOLK: _FOLK,
    Preset.PEREVODNOY_FOLK: replace(
        _FOLK, transfer=True, transfer_hand_check=TransferHandCheck.CAP_AT_HAND
    ),
    Preset.PROSTOY: RuleSet(throw_in=ThrowIn.NONE, lead_many=False),
    Preset.JAPANESE: RuleSet(trump=Trump.DIAMONDS, spades_only_by_spades=True),
    Preset.ONLINE: RuleSet(
        throw_in_many=False,
        throw_in_priority=ThrowInPriority.LEADER_THEN_FREE,
        first_bout_cap=FirstBoutCap.UNTIL_FIRST_DISCARD,
        on_timeout=OnTimeout.FORFEIT,
        turn_seconds=30,
    ),
}


def preset(
    name: Preset | str,
    /,
    **overrides: object,
) -> RuleSet:
    """Return the named rule set with some options replaced, given as values or as their text.

    Raises:
        ValueError: there is no such preset, option or value.
    """
    values: dict[str, Any] = {  # Any: each option has a type of its own
        option: option_value(option, value) for option, value in overrides.items()
    }
    return replace(_RULE_SETS[Preset(name)], **values)
