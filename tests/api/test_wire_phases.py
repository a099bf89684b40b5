"""The phase of a view, after whatever happened last."""

from collections import defaultdict

from durak_server.api.wire_views import wire_view
from durak_server.matches import match_view
from durak_server.pb.durak.v1.view_pb2 import Phase
from durak_server.rules import Dump, RuleSet
from tests.matches.tabletop import playing_table

PHASES = {
    "BoutStarted": {"PHASE_LEAD"},
    "Led": {"PHASE_DEFENCE"},
    "Beaten": {"PHASE_DEFENCE"},
    "ThrownIn": {"PHASE_DEFENCE", "PHASE_TAKING"},
    "TakeDeclared": {"PHASE_TAKING"},
    "Dumped": {"PHASE_DUMP"},
    "Passed": {"PHASE_DEFENCE", "PHASE_TAKING", "PHASE_DUMP"},
    "MatchFinished": {"PHASE_OVER"},
}


def test_the_phase_says_what_the_table_waits_for() -> None:
    seen: dict[str, set[str]] = defaultdict(set)
    for seed in range(30):
        table = playing_table(RuleSet(seats=4, dump=Dump.MAY), seed)
        for events in table.moves_until_over():
            phase = wire_view(match_view(table.match, None)).deal.phase
            seen[type(events[-1]).__name__].add(Phase.Name(phase))
    assert seen == PHASES
