"""Records as they lie in the store; what is written here is read for ever."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings

from durak_server import matches, rules
from durak_server.matches import (
    BotLevel,
    CreditReason,
    MatchEvent,
    Player,
    PlayerKind,
    Record,
    SeatClock,
    Spectators,
    Visibility,
)
from durak_server.rules import BoutOutcome, Card, DealEndReason, Preset, RuleSet, parse_card
from durak_server.store import StoreCorrupt
from durak_server.store.codec import CARDS, Data, EventKind, RecordCodec
from durak_server.store.event_kinds import EVENT_KINDS, RECORDS
from tests.matches.random_matches import tables
from tests.matches.tabletop import Tabletop

AT = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, names.split()))


# Event, its name, its data. A line of this table may be added, never changed.
STORED: list[tuple[MatchEvent, str, str]] = [
    (
        matches.PlayerJoined(1, Player("p1", "Ира")),
        "player_joined",
        '{"seat":1,"player":{"player_id":"p1","name":"Ира","kind":"HUMAN","bot_level":null,"has_left":false}}',
    ),
    (
        matches.PlayerJoined(0, Player("b", "Bot", PlayerKind.BOT, BotLevel.LOWEST)),
        "player_joined",
        '{"seat":0,"player":{"player_id":"b","name":"Bot","kind":"BOT","bot_level":"LOWEST","has_left":false}}',
    ),
    (matches.PlayerLeft(2, "p2"), "player_left", '{"seat":2,"player_id":"p2"}'),
    (
        matches.PlayerLeft(2, "p2", matches.LeaveReason.REMOVED),
        "player_left",
        '{"seat":2,"player_id":"p2","reason":"REMOVED"}',
    ),
    (
        matches.PresenceChanged(2, matches.Presence.AWAY),
        "presence_changed",
        '{"seat":2,"presence":"AWAY"}',
    ),
    (
        matches.InviteRenewed("CODE", timedelta(days=1)),
        "invite_renewed",
        '{"invite_code":"CODE","lifetime":"P1D"}',
    ),
    (matches.ReadyChanged(1, is_ready=True), "ready_changed", '{"seat":1,"is_ready":true}'),
    (
        matches.PlayerJoined(1, Player("p1", "Ира", is_invited=True)),
        "player_joined",
        '{"seat":1,"player":{"player_id":"p1","name":"Ира","kind":"HUMAN","bot_level":null,"has_left":false,"is_invited":true}}',
    ),
    (matches.SeatsReleased(2), "seats_released", '{"count":2}'),
    (matches.OwnerChanged("p2"), "owner_changed", '{"owner_id":"p2"}'),
    (matches.MatchStarted(), "match_started", "{}"),
    (matches.MatchFinished((1, 0)), "match_finished", '{"times_fool":[1,0]}'),
    (matches.MatchAbandoned(), "match_abandoned", "{}"),
    (
        matches.MatchAbandoned(matches.AbandonReason.EXPIRED),
        "match_abandoned",
        '{"reason":"EXPIRED"}',
    ),
    (
        matches.MatchAbandoned(matches.AbandonReason.TERMINATED, "Сервер уходит"),
        "match_abandoned",
        '{"reason":"TERMINATED","text":"Сервер уходит"}',
    ),
    (matches.RematchOffered(1), "rematch_offered", '{"seat":1}'),
    (matches.RematchMade("m2"), "rematch_made", '{"match_id":"m2"}'),
    (
        matches.Said(1, "p", matches.Speech(text="Привет")),
        "said",
        '{"seat":1,"player_id":"p","speech":{"text":"Привет"}}',
    ),
    (
        matches.Said(1, "p", matches.Speech(phrase=matches.Phrase.THANKS), (3,)),
        "said",
        '{"seat":1,"player_id":"p","speech":{"phrase":"THANKS"},"kept_from":[3]}',
    ),
    (
        matches.Said(1, "p", matches.Speech(reaction=matches.Reaction.ANGER)),
        "said",
        '{"seat":1,"player_id":"p","speech":{"reaction":"ANGER"}}',
    ),
    (
        matches.DealCommitted(2, b"\x00\xff" * 16, b"\x01" * 32),
        "deal_committed",
        '{"shuffle":2,"commitment":"AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8=",'
        '"server_seed":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="}',
    ),
    (
        matches.SeedAdded(2, 1, b"\x00lucky"),
        "seed_added",
        '{"shuffle":2,"seat":1,"seed":"AGx1Y2t5"}',
    ),
    (
        matches.SeedRevealed(2, b"\x01" * 32),
        "seed_revealed",
        '{"shuffle":2,"server_seed":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="}',
    ),
    (
        rules.DealStarted(cards("6S TH JKR AC"), 1, 0),
        "deal_started",
        '{"order":["6S","TH","JKR","AC"],"dealer":1,"leader":0}',
    ),
    (
        rules.DealStarted(cards("6S TH"), 3, 0, (0, 1, 3)),
        "deal_started",
        '{"order":["6S","TH"],"dealer":3,"leader":0,"seats":[0,1,3]}',
    ),
    (rules.BoutStarted(0, 1, 6), "bout_started", '{"leader":0,"defender":1,"limit":6}'),
    (rules.Led(0, cards("6S 6H")), "led", '{"seat":0,"cards":["6S","6H"]}'),
    (rules.ThrownIn(2, cards("7C")), "thrown_in", '{"seat":2,"cards":["7C"]}'),
    (
        rules.Beaten(1, parse_card("6S"), parse_card("9S")),
        "beaten",
        '{"seat":1,"target":"6S","card":"9S"}',
    ),
    (
        rules.Transferred(1, cards("6D"), 2, 6),
        "transferred",
        '{"seat":1,"cards":["6D"],"defender":2,"limit":6}',
    ),
    (
        rules.Shown(1, parse_card("6D"), 2, 5),
        "shown",
        '{"seat":1,"card":"6D","defender":2,"limit":5}',
    ),
    (rules.TakeDeclared(1), "take_declared", '{"seat":1}'),
    (rules.Passed(0), "passed", '{"seat":0}'),
    (rules.Retracted(2, parse_card("7C")), "retracted", '{"seat":2,"card":"7C"}'),
    (rules.Dumped(2, cards("7C 7D")), "dumped", '{"seat":2,"cards":["7C","7D"]}'),
    (
        rules.RedealClaimed(0, cards("6S 7S 8S 9S TS JS")),
        "redeal_claimed",
        '{"seat":0,"hand":["6S","7S","8S","9S","TS","JS"]}',
    ),
    (
        rules.BoutEnded(BoutOutcome.VOID, ((0, cards("6S")), (1, cards("9S TS")))),
        "bout_ended",
        '{"outcome":"VOID","returned":[[0,["6S"]],[1,["9S","TS"]]]}',
    ),
    (
        rules.BoutEnded(BoutOutcome.BEATEN, ()),
        "bout_ended",
        '{"outcome":"BEATEN","returned":[]}',
    ),
    (rules.Drew(1, cards("AC 6S")), "drew", '{"seat":1,"cards":["AC","6S"]}'),
    (rules.WentOut(1, 1), "went_out", '{"seat":1,"place":1}'),
    (rules.Forfeited(2), "forfeited", '{"seat":2}'),
    (
        rules.DealEnded((0,), ((1, 2), (0,)), 1, DealEndReason.FOOL),
        "deal_ended",
        '{"fools":[0],"places":[[1,2],[0]],"epaulettes":1,"reason":"FOOL"}',
    ),
    (
        rules.DealEnded((), (), 0, DealEndReason.VOID),
        "deal_ended",
        '{"fools":[],"places":[],"epaulettes":0,"reason":"VOID"}',
    ),
    (
        matches.ClocksSet((SeatClock(1, AT, timedelta(seconds=20, milliseconds=500)),)),
        "clocks_set",
        '{"clocks":[{"seat":1,"deadline":"2026-11-30T12:00:00.123456Z","bank_left":"PT20.5S"}]}',
    ),
    (matches.TimeRanOut(1), "time_ran_out", '{"seat":1}'),
    (
        matches.ClockCredited(1, timedelta(seconds=7), CreditReason.RESTART),
        "clock_credited",
        '{"seat":1,"credit":"PT7S","reason":"RESTART"}',
    ),
]

CREATED = matches.MatchCreated(
    "m1",
    Preset.PEREVODNOY,
    RuleSet(seats=3, transfer=True),
    "p0",
    Visibility.UNLISTED,
    Spectators.NONE,
    "CODE",
    start_when_full=True,
)
STORED_RULES = (
    '{"seats":3,"deck":36,"deal_step":1,"trump":"NEXT_CARD","spades_only_by_spades":false,'
    '"low_trump_beats_ace":false,"redeal_right":"NONE","next_leader":"LOWEST_TRUMP",'
    '"lead_many":true,"throw_in":"ALL","throw_in_priority":"LEADER_FIRST","throw_in_many":true,'
    '"throw_in_timing":"ANY_TIME","attack_cap":"SIX","first_bout_cap":"NONE",'
    '"throw_in_after_take":true,"overthrow":"FORBID","retract":false,"dump":"NEVER",'
    '"transfer":true,"transfer_hand_check":"REQUIRE","transfer_first_bout":true,'
    '"transfer_many":false,"transfer_show":false,"draw_order":"LEADER_CLOCKWISE",'
    '"final_draw":"IN_ORDER","endgame":"DRAW","places":"RANKED","simultaneous_places":"BY_TIME",'
    '"teams":"NONE","jokers":"NONE","epaulettes":false,"table_talk":"on","deals":1,'
    '"leave":"FORFEIT","turn_seconds":0,"bank_seconds":0,"on_timeout":"AUTO_MOVE"}'
)
STORED.append(
    (
        CREATED,
        "match_created",
        f'{{"match_id":"m1","preset":"perevodnoy","rules":{STORED_RULES},"owner_id":"p0",'
        '"visibility":"UNLISTED","spectators":"NONE","invite_code":"CODE","start_when_full":true}',
    )
)
STORED.append(
    (
        replace(CREATED, previous_match_id="m0", first_dealer=2, first_leader=0),
        "match_created",
        f'{{"match_id":"m1","preset":"perevodnoy","rules":{STORED_RULES},"owner_id":"p0",'
        '"visibility":"UNLISTED","spectators":"NONE","invite_code":"CODE","start_when_full":true,'
        '"previous_match_id":"m0","first_dealer":2,"first_leader":0}',
    )
)
STORED.append(
    (
        replace(CREATED, spectators=Spectators.DELAYED, spectator_delay=timedelta(seconds=90)),
        "match_created",
        f'{{"match_id":"m1","preset":"perevodnoy","rules":{STORED_RULES},"owner_id":"p0",'
        '"visibility":"UNLISTED","spectators":"DELAYED","invite_code":"CODE",'
        '"start_when_full":true,"spectator_delay":"PT90S"}',
    )
)

STORED.append(
    (
        replace(CREATED, admission=matches.Admission(matches.PasswordKey(b"salt", b"key", 14))),
        "match_created",
        f'{{"match_id":"m1","preset":"perevodnoy","rules":{STORED_RULES},"owner_id":"p0",'
        '"visibility":"UNLISTED","spectators":"NONE","invite_code":"CODE","start_when_full":true,'
        '"admission":{"password":{"salt":"c2FsdA==","key":"a2V5","cost":14}}}',
    )
)


def stored(name: str, data: str) -> bytes:
    return (
        f'{{"event":"{name}","version":1,"at":"2026-11-30T12:00:00.123456Z","data":{data},'
        '"player":"p0","request":"r1"}'
    ).encode()


@pytest.mark.parametrize(("event", "name", "data"), STORED)
def test_an_event_is_written_so_and_read_back(event: MatchEvent, name: str, data: str) -> None:
    record = Record(7, AT, event, "p0", "r1")
    assert RECORDS.encode(record) == stored(name, data)
    assert RECORDS.decode(7, stored(name, data)) == record


def test_every_kind_of_event_is_in_the_table() -> None:
    in_table = {type(event) for event, _, _ in STORED}
    assert in_table == set(get_args(MatchEvent)) == {kind.event for kind in EVENT_KINDS}
    assert len(EVENT_KINDS) == len({kind.name for kind in EVENT_KINDS})


def test_a_record_of_no_player_and_no_request_names_none() -> None:
    record = Record(3, AT, matches.MatchStarted())
    body = RECORDS.encode(record)
    assert body == (
        b'{"event":"match_started","version":1,"at":"2026-11-30T12:00:00.123456Z","data":{}}'
    )
    assert RECORDS.decode(3, body) == record


@settings(max_examples=40)
@given(tables())
def test_played_logs_come_back_as_they_were(table: Tabletop) -> None:
    for record in table.history.records(0):
        assert RECORDS.decode(record.sequence, RECORDS.encode(record)) == record


def test_options_that_an_old_log_does_not_know_have_their_defaults() -> None:
    record = Record(1, AT, CREATED)
    body = RECORDS.encode(record).replace(b',"epaulettes":false', b"").replace(b',"seats":3', b"")
    assert RECORDS.decode(1, body) == record


BROKEN = [
    (b"", "record 7: "),
    (b"no JSON", "record 7: "),
    (b"[]", "record 7: "),
    (stored("led", '{"seat":0,"cards":["6S"]}')[:-9], "record 7: "),
    (stored("teleported", "{}"), "record 7: 'teleported' is unknown or missing"),
    (stored("led", '{"seat":0}'), "record 7: 'cards' is unknown or missing"),
    (stored("led", '{"seat":0,"cards":["1S"]}'), "record 7: no such card: '1S'"),
    (stored("led", '{"seat":0,"cards":7}'), "record 7: "),
    (stored("passed", "{}"), "record 7: "),
    (stored("passed", '{"seat":"0"}'), "record 7: "),
    (stored("bout_ended", '{"outcome":"LOST","returned":[]}'), "record 7: "),
    (
        stored("passed", '{"seat":0}').replace(b'"version":1', b'"version":2'),
        "record 7: version 2 is unknown",
    ),
    (
        stored("passed", '{"seat":0}').replace(b'"version":1', b'"version":0'),
        "record 7: version 0 is unknown",
    ),
]


MOMENT = b"2026-11-30T12:00:00.123456Z"
CLOCK = '{"clocks":[{"seat":0,"deadline":"2026-11-30T12:00:00.123456Z","bank_left":"PT1S"}]}'
NO_ZONE = "record 7: Expected `datetime` with a timezone component"
NO_MOMENTS = [
    (b"2026-11-30T12:00:00.123456", NO_ZONE),
    (b"2026-11-30T12:00:00.1e400Z", "record 7: Invalid RFC3339 encoded datetime"),
    (b"0001-01-01T00:00:00+14:00", "record 7: date value out of range"),
    (b"9999-12-31T23:59:59-10:00", "record 7: date value out of range"),
]


@pytest.mark.parametrize(("moment", "said"), NO_MOMENTS)
def test_a_time_that_is_no_moment_in_utc_is_told_as_corrupt(moment: bytes, said: str) -> None:
    in_the_data = stored("clocks_set", CLOCK)
    at = in_the_data.index(b"deadline")
    for body in (
        stored("passed", '{"seat":0}').replace(MOMENT, moment),
        in_the_data[:at] + in_the_data[at:].replace(MOMENT, moment),
    ):
        with pytest.raises(StoreCorrupt) as corrupt:
            RECORDS.decode(7, body)
        assert str(corrupt.value).startswith(said)


def test_a_time_of_another_zone_is_read_in_utc() -> None:
    body = stored("clocks_set", CLOCK).replace(MOMENT, b"2026-11-30T15:00:00.123456+03:00")
    record = RECORDS.decode(7, body)
    assert record.recorded_at.tzinfo is UTC
    assert record.recorded_at == AT
    assert RECORDS.encode(record) == stored("clocks_set", CLOCK)


@pytest.mark.parametrize(("body", "text"), BROKEN)
def test_what_is_no_known_record_is_told_as_corrupt(body: bytes, text: str) -> None:
    with pytest.raises(StoreCorrupt) as corrupt:
        RECORDS.decode(7, body)
    assert str(corrupt.value).startswith(text)


def leader_to_seat(data: Data) -> Data:
    return {"seat": data["leader"], "card": data["card"]}


def card_to_cards(data: Data) -> Data:
    return {"seat": data["seat"], "cards": [data["card"]]}


def test_old_versions_are_lifted_step_by_step_to_the_newest() -> None:
    led = EventKind("led", rules.Led, {"cards": CARDS}, upcasts=(leader_to_seat, card_to_cards))
    codec = RecordCodec((led,))
    record = Record(7, AT, rules.Led(2, cards("6S")))
    assert msgspec.json.decode(codec.encode(record))["version"] == 3
    written = {
        1: '{"leader":2,"card":"6S"}',
        2: '{"seat":2,"card":"6S"}',
        3: '{"seat":2,"cards":["6S"]}',
    }
    for version, data in written.items():
        body = stored("led", data).replace(b'"version":1', b'"version":%d' % version)
        assert codec.decode(7, body) == replace(record, player_id="p0", request_id="r1")
