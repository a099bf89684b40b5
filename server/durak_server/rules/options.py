"""The options of a rule set: every choice the rules leave open (rules.md, 11)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final, TypeAlias


class Trump(StrEnum):
    """Where the trump suit comes from (rules.md, 11)."""

    NEXT_CARD = "NEXT_CARD"
    DIAMONDS = "DIAMONDS"


class RedealRight(StrEnum):
    """Which six cards allow their holder to demand a new deal (rules.md, 2.6)."""

    NONE = "NONE"
    SIX_SAME_SUIT = "SIX_SAME_SUIT"
    SIX_SAME_COLOUR = "SIX_SAME_COLOUR"


class NextLeader(StrEnum):
    """Who leads first in the deals after the first (rules.md, 2.8)."""

    LOWEST_TRUMP = "LOWEST_TRUMP"
    LEFT_OF_FOOL = "LEFT_OF_FOOL"
    RIGHT_OF_FOOL = "RIGHT_OF_FOOL"
    FOOL = "FOOL"


class ThrowIn(StrEnum):
    """Who may throw in (rules.md, 4.1)."""

    NONE = "NONE"
    NEIGHBOURS = "NEIGHBOURS"
    ALL = "ALL"


class ThrowInPriority(StrEnum):
    """In which order attackers are asked (rules.md, 4.3)."""

    LEADER_FIRST = "LEADER_FIRST"
    LEADER_THEN_FREE = "LEADER_THEN_FREE"
    FREE = "FREE"


class ThrowInTiming(StrEnum):
    """Whether attackers act while cards are uncovered (rules.md, 4.4)."""

    ANY_TIME = "ANY_TIME"
    AFTER_COVERED = "AFTER_COVERED"


class AttackCap(StrEnum):
    """How many attack cards a bout may have at most (rules.md, 4.5)."""

    SIX = "SIX"
    HAND = "HAND"


class FirstBoutCap(StrEnum):
    """When the cap is five instead (rules.md, 4.6)."""

    NONE = "NONE"
    FIRST_BOUT = "FIRST_BOUT"
    UNTIL_FIRST_DISCARD = "UNTIL_FIRST_DISCARD"


class Overthrow(StrEnum):
    """Whether attackers may exceed the defender's hand once the stock is empty (rules.md, 4.7)."""

    FORBID = "FORBID"
    RETURN_EXCESS = "RETURN_EXCESS"


class Dump(StrEnum):
    """Whether cards that could still be thrown in may join the beaten ones (rules.md, 4.9)."""

    NEVER = "NEVER"
    MAY = "MAY"
    MUST = "MUST"


class TransferHandCheck(StrEnum):
    """What a transfer asks of the next player's hand (rules.md, 5.4)."""

    REQUIRE = "REQUIRE"
    CAP_AT_HAND = "CAP_AT_HAND"


class DrawOrder(StrEnum):
    """In which order hands are filled after a bout (rules.md, 7.2)."""

    LEADER_CLOCKWISE = "LEADER_CLOCKWISE"
    LEADER_LEFT_OF_DEFENDER = "LEADER_LEFT_OF_DEFENDER"
    MAIN_ATTACKER_CLOCKWISE = "MAIN_ATTACKER_CLOCKWISE"


class FinalDraw(StrEnum):
    """How the last cards of the stock are shared out (rules.md, 7.3)."""

    IN_ORDER = "IN_ORDER"
    ROUND_ROBIN = "ROUND_ROBIN"


class Endgame(StrEnum):
    """What happens when the last players empty their hands together (rules.md, 8.4)."""

    DRAW = "DRAW"
    FIRST_OUT_WINS = "FIRST_OUT_WINS"


class Places(StrEnum):
    """Whether the order of going out is scored (rules.md, 8.5)."""

    FOOL_ONLY = "FOOL_ONLY"
    RANKED = "RANKED"


class SimultaneousPlaces(StrEnum):
    """How players who leave in one bout are placed (rules.md, 8.2)."""

    BY_TIME = "BY_TIME"
    SHARED = "SHARED"


class Teams(StrEnum):
    """Whether every second seat is a partner (rules.md, 9.1)."""

    NONE = "NONE"
    ALTERNATE = "ALTERNATE"


class Jokers(StrEnum):
    """Whether the two jokers are in the deck (rules.md, 3.6)."""

    NONE = "NONE"
    COLOUR = "COLOUR"


class TableTalk(StrEnum):
    """What may be said at the table (rules.md, 11)."""

    ON = "on"
    OFF = "off"
    NO_PARTNERS = "NO_PARTNERS"
    PHRASES = "PHRASES"


class Leave(StrEnum):
    """What happens when a player leaves during a deal (rules.md, 8.7)."""

    FORFEIT = "FORFEIT"
    RESTART_DEAL = "RESTART_DEAL"
    BOT = "BOT"


class OnTimeout(StrEnum):
    """What happens when a player's time runs out (rules.md, 15.4)."""

    AUTO_MOVE = "AUTO_MOVE"
    FORFEIT = "FORFEIT"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One value for every option; the defaults are those of the preset `podkidnoy` for two.

    A rule set may be impossible: `problems` tells.
    """

    seats: int = 2
    deck: int = 36
    deal_step: int = 1
    trump: Trump = Trump.NEXT_CARD
    spades_only_by_spades: bool = False
    low_trump_beats_ace: bool = False
    redeal_right: RedealRight = RedealRight.NONE
    next_leader: NextLeader = NextLeader.LOWEST_TRUMP
    lead_many: bool = True
    throw_in: ThrowIn = ThrowIn.ALL
    throw_in_priority: ThrowInPriority = ThrowInPriority.LEADER_FIRST
    throw_in_many: bool = True
    throw_in_timing: ThrowInTiming = ThrowInTiming.ANY_TIME
    attack_cap: AttackCap = AttackCap.SIX
    first_bout_cap: FirstBoutCap = FirstBoutCap.NONE
    throw_in_after_take: bool = True
    overthrow: Overthrow = Overthrow.FORBID
    retract: bool = False
    dump: Dump = Dump.NEVER
    transfer: bool = False
    transfer_hand_check: TransferHandCheck = TransferHandCheck.REQUIRE
    transfer_first_bout: bool = True
    transfer_many: bool = False
    transfer_show: bool = False
    draw_order: DrawOrder = DrawOrder.LEADER_CLOCKWISE
    final_draw: FinalDraw = FinalDraw.IN_ORDER
    endgame: Endgame = Endgame.DRAW
    places: Places = Places.RANKED
    simultaneous_places: SimultaneousPlaces = SimultaneousPlaces.BY_TIME
    teams: Teams = Teams.NONE
    jokers: Jokers = Jokers.NONE
    epaulettes: bool = False
    table_talk: TableTalk = TableTalk.ON
    deals: int = 1
    leave: Leave = Leave.FORFEIT
    turn_seconds: int = 0
    bank_seconds: int = 0
    on_timeout: OnTimeout = OnTimeout.AUTO_MOVE


OptionValue: TypeAlias = bool | int | StrEnum

_DEFAULTS: Final[Mapping[str, OptionValue]] = {
    field.name: getattr(RuleSet(), field.name) for field in fields(RuleSet)
}


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
