"""The names under which events are stored. Names never change, and none is used twice."""

from typing import Final

from durak_server import matches, rules
from durak_server.store.codec import (
    ADMISSION,
    CARD,
    CARDS,
    CLOCKS,
    PLAYER,
    RETURNED,
    SPEECH,
    EventKind,
    RecordCodec,
)

EVENT_KINDS: Final = (
    EventKind(
        "match_created",
        matches.MatchCreated,
        {"admission": ADMISSION},
        unsaid=frozenset(
            {"previous_match_id", "first_dealer", "first_leader", "admission", "spectator_delay"}
        ),
    ),
    EventKind("player_joined", matches.PlayerJoined, {"player": PLAYER}),
    EventKind("player_left", matches.PlayerLeft, unsaid=frozenset({"reason"})),
    EventKind("presence_changed", matches.PresenceChanged),
    EventKind("invite_renewed", matches.InviteRenewed),
    EventKind("seats_released", matches.SeatsReleased),
    EventKind("ready_changed", matches.ReadyChanged),
    EventKind("owner_changed", matches.OwnerChanged),
    EventKind("match_started", matches.MatchStarted),
    EventKind("match_finished", matches.MatchFinished),
    EventKind("match_abandoned", matches.MatchAbandoned, unsaid=frozenset({"reason", "text"})),
    EventKind("rematch_offered", matches.RematchOffered),
    EventKind("rematch_made", matches.RematchMade),
    EventKind("said", matches.Said, {"speech": SPEECH}, unsaid=frozenset({"kept_from"})),
    EventKind("deal_committed", matches.DealCommitted),
    EventKind("seed_added", matches.SeedAdded),
    EventKind("seed_revealed", matches.SeedRevealed),
    EventKind("clocks_set", matches.ClocksSet, {"clocks": CLOCKS}),
    EventKind("time_ran_out", matches.TimeRanOut),
    EventKind("clock_credited", matches.ClockCredited),
    EventKind("deal_started", rules.DealStarted, {"order": CARDS}, unsaid=frozenset({"seats"})),
    EventKind("bout_started", rules.BoutStarted),
    EventKind("led", rules.Led, {"cards": CARDS}),
    EventKind("thrown_in", rules.ThrownIn, {"cards": CARDS}),
    EventKind("beaten", rules.Beaten, {"target": CARD, "card": CARD}),
    EventKind("transferred", rules.Transferred, {"cards": CARDS}),
    EventKind("shown", rules.Shown, {"card": CARD}),
    EventKind("take_declared", rules.TakeDeclared),
    EventKind("passed", rules.Passed),
    EventKind("retracted", rules.Retracted, {"card": CARD}),
    EventKind("dumped", rules.Dumped, {"cards": CARDS}),
    EventKind("redeal_claimed", rules.RedealClaimed, {"hand": CARDS}),
    EventKind("bout_ended", rules.BoutEnded, {"returned": RETURNED}),
    EventKind("drew", rules.Drew, {"cards": CARDS}),
    EventKind("went_out", rules.WentOut),
    EventKind("forfeited", rules.Forfeited),
    EventKind("deal_ended", rules.DealEnded),
)

RECORDS: Final = RecordCodec(EVENT_KINDS)
