"""Why a move is refused: a reason that code can branch on and facts that a person can read."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Reason(StrEnum):
    """The closed list of reasons (rules.md, 6.3)."""

    DEAL_OVER = "DEAL_OVER"
    NOT_IN_PLAY = "NOT_IN_PLAY"
    MALFORMED_MOVE = "MALFORMED_MOVE"
    DUPLICATE_CARD = "DUPLICATE_CARD"
    NOT_IN_HAND = "NOT_IN_HAND"
    NO_CARDS_NAMED = "NO_CARDS_NAMED"
    ONE_CARD_ONLY = "ONE_CARD_ONLY"
    NO_ATTACK_YET = "NO_ATTACK_YET"
    NOT_ATTACKER = "NOT_ATTACKER"
    MUST_ATTACK = "MUST_ATTACK"
    ALREADY_LED = "ALREADY_LED"
    MIXED_RANKS = "MIXED_RANKS"
    SINGLE_LEAD_ONLY = "SINGLE_LEAD_ONLY"
    OVER_LIMIT = "OVER_LIMIT"
    NOT_ALLOWED_TO_THROW = "NOT_ALLOWED_TO_THROW"
    NO_CARDS_LEFT = "NO_CARDS_LEFT"
    NOT_YOUR_PRIORITY = "NOT_YOUR_PRIORITY"
    NOT_ALL_COVERED = "NOT_ALL_COVERED"
    ALREADY_PASSED = "ALREADY_PASSED"
    SINGLE_THROW_ONLY = "SINGLE_THROW_ONLY"
    RANK_NOT_ON_TABLE = "RANK_NOT_ON_TABLE"
    NOT_DEFENDER = "NOT_DEFENDER"
    DEFENDER_ALREADY_TOOK = "DEFENDER_ALREADY_TOOK"
    TARGET_NOT_ON_TABLE = "TARGET_NOT_ON_TABLE"
    TARGET_COVERED = "TARGET_COVERED"
    DOES_NOT_BEAT = "DOES_NOT_BEAT"
    NOTHING_TO_TAKE = "NOTHING_TO_TAKE"
    TRANSFER_DISABLED = "TRANSFER_DISABLED"
    SHOW_DISABLED = "SHOW_DISABLED"
    FIRST_BOUT_NO_TRANSFER = "FIRST_BOUT_NO_TRANSFER"
    RANK_MISMATCH = "RANK_MISMATCH"
    DEFENCE_STARTED = "DEFENCE_STARTED"
    SINGLE_TRANSFER_ONLY = "SINGLE_TRANSFER_ONLY"
    NO_TRANSFER_TARGET = "NO_TRANSFER_TARGET"
    NEXT_HAND_TOO_SMALL = "NEXT_HAND_TOO_SMALL"
    NOT_TRUMP = "NOT_TRUMP"
    ALREADY_SHOWN = "ALREADY_SHOWN"
    RETRACT_DISABLED = "RETRACT_DISABLED"
    NOT_YOUR_CARD = "NOT_YOUR_CARD"
    CARD_IS_FINAL = "CARD_IS_FINAL"
    DUMP_DISABLED = "DUMP_DISABLED"
    REDEAL_DISABLED = "REDEAL_DISABLED"
    REDEAL_TOO_LATE = "REDEAL_TOO_LATE"
    HAND_NOT_UNIFORM = "HAND_NOT_UNIFORM"


_TEXTS: Final[Mapping[Reason, str]] = {
    Reason.DEAL_OVER: "The deal is over.",
    Reason.NOT_IN_PLAY: "Seat {seat} is not in play.",
    Reason.MALFORMED_MOVE: "A move of this kind does not name these cards or this target.",
    Reason.DUPLICATE_CARD: "{card} is named twice.",
    Reason.NOT_IN_HAND: "{card} is not in hand.",
    Reason.NO_CARDS_NAMED: "The move names no card.",
    Reason.ONE_CARD_ONLY: "The move takes one card.",
    Reason.NO_ATTACK_YET: "Nothing was led yet.",
    Reason.NOT_ATTACKER: "Seat {leader} leads this bout.",
    Reason.MUST_ATTACK: "The leader has to lead a card.",
    Reason.ALREADY_LED: "This bout was led already.",
    Reason.MIXED_RANKS: "The cards are not of one rank.",
    Reason.SINGLE_LEAD_ONLY: "A bout is led with one card.",
    Reason.OVER_LIMIT: "Room for {room} more attack cards, not {cards}.",
    Reason.NOT_ALLOWED_TO_THROW: "This seat may not throw in now.",
    Reason.NO_CARDS_LEFT: "This seat has no cards left.",
    Reason.NOT_YOUR_PRIORITY: "Another attacker comes first.",
    Reason.NOT_ALL_COVERED: "Attackers wait until all cards are covered.",
    Reason.ALREADY_PASSED: "This seat has passed.",
    Reason.SINGLE_THROW_ONLY: "Cards are thrown in one at a time.",
    Reason.RANK_NOT_ON_TABLE: "No card of the rank of {card} lies on the table.",
    Reason.NOT_DEFENDER: "Seat {defender} defends.",
    Reason.DEFENDER_ALREADY_TOOK: "The defender has given up and takes.",
    Reason.TARGET_NOT_ON_TABLE: "{target} is no attack card of this bout.",
    Reason.TARGET_COVERED: "{target} is covered.",
    Reason.DOES_NOT_BEAT: "{card} does not beat {target}.",
    Reason.NOTHING_TO_TAKE: "All cards are covered.",
    Reason.TRANSFER_DISABLED: "Transfers are not played here.",
    Reason.SHOW_DISABLED: "Transfers by showing are not played here.",
    Reason.FIRST_BOUT_NO_TRANSFER: "The first bout of a deal is not transferred.",
    Reason.RANK_MISMATCH: "{card} is not of the rank led.",
    Reason.DEFENCE_STARTED: "A card was covered; the attack stays.",
    Reason.SINGLE_TRANSFER_ONLY: "An attack is transferred with one card.",
    Reason.NO_TRANSFER_TARGET: "Nobody else could defend.",
    Reason.NEXT_HAND_TOO_SMALL: "Seat {next} holds {hand} cards, {cards} would lie before it.",
    Reason.NOT_TRUMP: "{card} is no trump.",
    Reason.ALREADY_SHOWN: "{card} was shown in this bout.",
    Reason.RETRACT_DISABLED: "Cards are not taken back here.",
    Reason.NOT_YOUR_CARD: "{card} was not laid by this seat.",
    Reason.CARD_IS_FINAL: "{card} cannot be taken back.",
    Reason.DUMP_DISABLED: "Dumping is not a move here.",
    Reason.REDEAL_DISABLED: "New deals cannot be claimed here.",
    Reason.REDEAL_TOO_LATE: "It is too late to claim a new deal.",
    Reason.HAND_NOT_UNIFORM: "The hand gives no right to a new deal.",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move that the rules forbid; nothing has changed.

    `facts` are pairs of a name and a value. They name only what the mover knows.
    """

    reason: Reason
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The refusal as a sentence."""
        return _TEXTS[self.reason].format_map(dict(self.facts))
