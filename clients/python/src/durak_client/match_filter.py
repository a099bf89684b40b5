"""Which matches to list or to watch."""

from collections.abc import Iterable, Mapping

from durak_client.matches import MatchStatus, Option, Preset
from durak_client.pb.durak.v1 import lobby_service_pb2, match_pb2, rules_pb2
from durak_client.rule_options import to_rule_set


def match_filter(
    statuses: Iterable[str | MatchStatus],
    presets: Iterable[str | Preset],
    options: Mapping[str, Option],
    *,
    has_free_seat: bool,
    has_no_password: bool,
) -> lobby_service_pb2.MatchFilter:
    """Return the message for matches that have one of each, and all of `options`.

    Raises:
        ValueError: something has no such name.
    """
    return lobby_service_pb2.MatchFilter(
        statuses=status_numbers(statuses),
        presets=[rules_pb2.Preset.ValueType(Preset.named(preset)) for preset in presets],
        rules=to_rule_set(options),
        has_free_seat=has_free_seat,
        has_no_password=has_no_password,
    )


def status_numbers(
    statuses: Iterable[str | MatchStatus],
) -> list[match_pb2.MatchStatus.ValueType]:
    """Return the statuses as the wire has them.

    Raises:
        ValueError: there is no such status.
    """
    return [match_pb2.MatchStatus.ValueType(MatchStatus.named(status)) for status in statuses]
