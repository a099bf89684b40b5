"""The options, their defaults and the named rule sets (rules.md, sections 11 and 12)."""

from tests.referee.cards import Options

DEFAULTS: Options = {
    "seats": 2,
    "deck": 36,
    "deal_step": 1,
    "trump": "NEXT_CARD",
    "spades_only_by_spades": False,
    "low_trump_beats_ace": False,
    "redeal_right": "NONE",
    "next_leader": "LOWEST_TRUMP",
    "lead_many": True,
    "throw_in": "ALL",
    "throw_in_priority": "LEADER_FIRST",
    "throw_in_many": True,
    "throw_in_timing": "ANY_TIME",
    "attack_cap": "SIX",
    "first_bout_cap": "NONE",
    "throw_in_after_take": True,
    "overthrow": "FORBID",
    "retract": False,
    "dump": "NEVER",
    "transfer": False,
    "transfer_hand_check": "REQUIRE",
    "transfer_first_bout": True,
    "transfer_many": False,
    "transfer_show": False,
    "draw_order": "LEADER_CLOCKWISE",
    "final_draw": "IN_ORDER",
    "endgame": "DRAW",
    "places": "RANKED",
    "simultaneous_places": "BY_TIME",
    "teams": "NONE",
    "jokers": "NONE",
    "epaulettes": False,
    "table_talk": "on",
    "deals": 1,
    "leave": "FORFEIT",
    "turn_seconds": 0,
    "bank_seconds": 0,
    "on_timeout": "AUTO_MOVE",
}

FOLK: Options = {
    "throw_in_after_take": False,
    "overthrow": "RETURN_EXCESS",
    "retract": True,
    "dump": "MAY",
    "draw_order": "LEADER_LEFT_OF_DEFENDER",
    "endgame": "FIRST_OUT_WINS",
    "places": "FOOL_ONLY",
    "redeal_right": "SIX_SAME_SUIT",
    "leave": "RESTART_DEAL",
}

PRESETS: dict[str, Options] = {
    "podkidnoy": {},
    "perevodnoy": {"transfer": True},
    "podkidnoy_folk": FOLK,
    "perevodnoy_folk": {**FOLK, "transfer": True, "transfer_hand_check": "CAP_AT_HAND"},
    "prostoy": {"throw_in": "NONE", "lead_many": False},
    "japanese": {"trump": "DIAMONDS", "spades_only_by_spades": True},
    "online": {
        "throw_in_many": False,
        "throw_in_priority": "LEADER_THEN_FREE",
        "first_bout_cap": "UNTIL_FIRST_DISCARD",
        "turn_seconds": 30,
        "on_timeout": "FORFEIT",
    },
}


def options_named(text: str) -> Options:
    """Return the options of a line such as `podkidnoy,seats=3,retract=true`."""
    preset, *changes = text.split(",")
    options = {**DEFAULTS, **PRESETS[preset]}
    for change in changes:
        name, _, value = change.partition("=")
        default = DEFAULTS[name]
        if isinstance(default, bool):
            options[name] = value == "true"
        else:
            options[name] = int(value) if isinstance(default, int) else value
    return options
