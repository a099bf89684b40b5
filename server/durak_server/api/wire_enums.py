"""Our enums and those of the wire, member by member and by name."""

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Any, Final, Protocol, TypeVar

from durak_server import matches, rules
from durak_server.api.failures import invalid_field
from durak_server.pb.durak.v1 import event_pb2, match_pb2, move_pb2, rules_pb2, talk_pb2, view_pb2

E = TypeVar("E", bound=Enum)


class WireEnum(Protocol):
    """The part of a generated enum that is used here."""

    def Value(self, name: str) -> Any: ...  # noqa: N802, D102  (generated; Any: its own int type)


class Pairs(Mapping[E, Any]):  # Any: each wire enum has a number type of its own
    """The wire's number for each member, and back. A member may go by another name there."""

    def __init__(
        self,
        ours: type[E],
        wire: WireEnum,
        prefix: str,
        renamed: Mapping[E, str] | None = None,
    ) -> None:
        names = {member: (renamed or {}).get(member, member.name) for member in ours}
        self._numbers = {member: wire.Value(prefix + name) for member, name in names.items()}
        self._members: dict[int, E] = {}
        for member, number in self._numbers.items():
            self._members.setdefault(int(number), member)

    def __getitem__(self, member: E) -> Any:  # Any: see the class
        return self._numbers[member]

    def __iter__(self) -> Any:  # Any: Mapping's own type says enough
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def member(self, number: int, field: str, default: E | None = None) -> E:
        """Return the member of a number in a request; `default` for 0, "not said".

        Raises:
            CallFailed: the number is none of ours, or nothing was said and there is no default.
        """
        if not number and default is not None:
            return default
        member = self._members.get(number)
        if member is None:
            raise invalid_field(field, "must be said" if not number else f"{number} is unknown")
        return member

    def members(self, numbers: Collection[int], field: str) -> frozenset[E]:
        """Return the members of a list of numbers in a request.

        Raises:
            CallFailed: a number is none of ours, or they are more than twice as many as there are
                members.
        """
        most = 2 * len(self)
        if len(numbers) > most:  # before each is looked at
            raise invalid_field(field, f"at most {most} values")
        return frozenset(
            self.member(number, f"{field}[{index}]") for index, number in enumerate(numbers)
        )


STATUSES: Final = Pairs(matches.MatchStatus, match_pb2.MatchStatus, "MATCH_STATUS_")
VISIBILITIES: Final = Pairs(matches.Visibility, match_pb2.Visibility, "VISIBILITY_")
SPECTATORS: Final = Pairs(matches.Spectators, match_pb2.Spectators, "SPECTATORS_")
PLAYER_KINDS: Final = Pairs(matches.PlayerKind, match_pb2.PlayerKind, "PLAYER_KIND_")
BOT_LEVELS: Final = Pairs(matches.BotLevel, match_pb2.BotLevel, "BOT_LEVEL_")
PRESETS: Final = Pairs(rules.Preset, rules_pb2.Preset, "PRESET_")
MOVE_KINDS: Final = Pairs(rules.MoveKind, move_pb2.MoveKind, "MOVE_KIND_")
BOUT_OUTCOMES: Final = Pairs(rules.BoutOutcome, event_pb2.BoutOutcome, "BOUT_OUTCOME_")
DEAL_ENDS: Final = Pairs(
    rules.DealEndReason,
    view_pb2.DealEnd,
    "DEAL_END_",
    {rules.DealEndReason.BOUND: "ENDLESS", rules.DealEndReason.TEAM: "FOOL"},
)
LEAVE_REASONS: Final = Pairs(matches.LeaveReason, event_pb2.LeaveReason, "LEAVE_REASON_")
ABANDON_REASONS: Final = Pairs(matches.AbandonReason, event_pb2.AbandonReason, "ABANDON_REASON_")
PRESENCES: Final = Pairs(matches.Presence, match_pb2.Presence, "PRESENCE_")
PHRASES: Final = Pairs(matches.Phrase, talk_pb2.Phrase, "PHRASE_")
REACTIONS: Final = Pairs(matches.Reaction, talk_pb2.Reaction, "REACTION_")
CREDIT_REASONS: Final = Pairs(matches.CreditReason, event_pb2.CreditReason, "CREDIT_REASON_")
