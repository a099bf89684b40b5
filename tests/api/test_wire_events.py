"""Each kind of event on the wire, whole."""

from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf import text_format

from durak_server import matches, rules
from durak_server.api.wire_events import wire_events
from durak_server.matches import (
    BotLevel,
    Player,
    PlayerKind,
    SeenEvent,
    SeenRecord,
    Spectators,
    Visibility,
)
from durak_server.pb.durak.v1 import event_pb2
from durak_server.rules import BoutOutcome, DealEndReason, Preset, parse_card

S7, H8, D9, CA = (parse_card(name) for name in ("7S", "8H", "9D", "AC"))
AT = datetime(2026, 1, 1, tzinfo=UTC)
BOT = Player("bot-1", "Gleb", PlayerKind.BOT, BotLevel.RANDOM)

EVENTS: list[tuple[SeenEvent, str]] = [
    (
        matches.PlayerJoined(2, Player("p", "Vasya")),
        "player_joined { seat { seat: 2 kind: PLAYER_KIND_HUMAN player_id: 'p' name: 'Vasya'"
        " presence: PRESENCE_CONNECTED } }",
    ),
    (
        matches.PlayerJoined(1, BOT),
        "player_joined { seat { seat: 1 kind: PLAYER_KIND_BOT player_id: 'bot-1' name: 'Gleb'"
        " bot_level: BOT_LEVEL_RANDOM } }",
    ),
    (
        matches.PlayerLeft(2, "p"),
        "player_left { seat: 2 player_id: 'p' reason: LEAVE_REASON_LEFT }",
    ),
    (
        matches.PlayerLeft(2, "p", matches.LeaveReason.REMOVED),
        "player_left { seat: 2 player_id: 'p' reason: LEAVE_REASON_REMOVED }",
    ),
    (
        matches.PresenceChanged(2, matches.Presence.AWAY),
        "presence_changed { seat: 2 presence: PRESENCE_AWAY }",
    ),
    (matches.SeenInviteRenewed(), "invite_renewed {}"),
    (matches.ReadyChanged(2, is_ready=True), "ready_changed { seat: 2 is_ready: true }"),
    (matches.SeatsReleased(2), "seats_released { count: 2 }"),
    (matches.OwnerChanged("p"), "owner_changed { owner_id: 'p' }"),
    (matches.MatchStarted(), "match_started {}"),
    (matches.MatchFinished((0, 2, 1)), "match_finished { times_fool: [0, 2, 1] }"),
    (
        matches.MatchAbandoned(),
        "match_abandoned { reason: ABANDON_REASON_EVERYONE_LEFT }",
    ),
    (
        matches.MatchAbandoned(matches.AbandonReason.EXPIRED),
        "match_abandoned { reason: ABANDON_REASON_EXPIRED }",
    ),
    (
        matches.MatchAbandoned(matches.AbandonReason.TERMINATED, "why"),
        'match_abandoned { reason: ABANDON_REASON_TERMINATED text: "why" }',
    ),
    (matches.RematchOffered(2), "rematch_offered { seat: 2 }"),
    (matches.RematchMade("m2"), "rematch_made { match_id: 'm2' }"),
    (
        matches.SeenSaid(1, "p", matches.Speech(text="Hi")),
        "said { seat: 1 player_id: 'p' speech { text: 'Hi' } }",
    ),
    (
        matches.SeenSaid(1, "p", matches.Speech(phrase=matches.Phrase.HELLO)),
        "said { seat: 1 player_id: 'p' speech { phrase: PHRASE_HELLO } }",
    ),
    (
        matches.SeenSaid(1, "p", matches.Speech(reaction=matches.Reaction.LAUGHTER)),
        "said { seat: 1 player_id: 'p' speech { reaction: REACTION_LAUGHTER } }",
    ),
    (matches.SeenSaid(1, "p", None), "said { seat: 1 player_id: 'p' }"),
    (
        matches.SeenDealCommitted(2, b"\x01\xff"),
        r"deal_committed { shuffle: 2 commitment: '\001\377' }",
    ),
    (matches.SeedAdded(2, 1, b"luck"), "seed_added { shuffle: 2 seat: 1 seed: 'luck' }"),
    (matches.SeedRevealed(2, b"seed"), "seed_revealed { shuffle: 2 seed: 'seed' }"),
    (
        matches.ClocksSet((matches.SeatClock(1, AT, timedelta(seconds=7, milliseconds=500)),)),
        "clocks_set { clocks { seat: 1 deadline { seconds: 1767225600 }"
        " bank_left { seconds: 7 nanos: 500000000 } } }",
    ),
    (matches.TimeRanOut(2), "time_ran_out { seat: 2 }"),
    (
        matches.ClockCredited(1, timedelta(days=1, seconds=1), matches.CreditReason.RESTART),
        "clock_credited { seat: 1 credit { seconds: 86401 } reason: CREDIT_REASON_RESTART }",
    ),
    (
        matches.SeenDealStarted(3, 1, 2, 1, H8, 23, (S7, D9), (0, 1, 2)),
        "deal_started { deal: 3 dealer: 1 leader: 2 trump: SUIT_HEARTS"
        " trump_card: CARD_EIGHT_OF_HEARTS stock_size: 23"
        " hand: [CARD_SEVEN_OF_SPADES, CARD_NINE_OF_DIAMONDS] seats: [0, 1, 2] }",
    ),
    (
        matches.SeenDealStarted(1, 0, 1, 2, None, 24, (), (0, 1)),
        "deal_started { deal: 1 leader: 1 trump: SUIT_DIAMONDS stock_size: 24 seats: [0, 1] }",
    ),
    (rules.BoutStarted(0, 1, 6), "bout_started { defender: 1 limit: 6 }"),
    (rules.Led(1, (S7,)), "led { seat: 1 cards: CARD_SEVEN_OF_SPADES }"),
    (rules.ThrownIn(0, (S7,)), "thrown_in { cards: CARD_SEVEN_OF_SPADES }"),
    (
        rules.Beaten(1, S7, H8),
        "beaten { seat: 1 target: CARD_SEVEN_OF_SPADES cover: CARD_EIGHT_OF_HEARTS }",
    ),
    (
        rules.Transferred(1, (S7,), 2, 5),
        "transferred { seat: 1 cards: CARD_SEVEN_OF_SPADES defender: 2 limit: 5 }",
    ),
    (
        rules.Shown(1, S7, 2, 5),
        "shown { seat: 1 card: CARD_SEVEN_OF_SPADES defender: 2 limit: 5 }",
    ),
    (rules.TakeDeclared(1), "take_declared { seat: 1 }"),
    (rules.Passed(2), "passed { seat: 2 }"),
    (rules.Retracted(2, CA), "retracted { seat: 2 card: CARD_ACE_OF_CLUBS }"),
    (rules.Dumped(2, (CA,)), "dumped { seat: 2 cards: CARD_ACE_OF_CLUBS }"),
    (rules.RedealClaimed(0, (S7,)), "redeal_claimed { hand: CARD_SEVEN_OF_SPADES }"),
    (
        rules.BoutEnded(BoutOutcome.VOID, ((1, (S7,)), (2, (CA,)))),
        "bout_ended { outcome: BOUT_OUTCOME_VOID returned { seat: 1 cards: CARD_SEVEN_OF_SPADES }"
        " returned { seat: 2 cards: CARD_ACE_OF_CLUBS } }",
    ),
    (matches.SeenDrew(1, 3, (H8,)), "drew { seat: 1 count: 3 cards: CARD_EIGHT_OF_HEARTS }"),
    (rules.WentOut(1, 2), "went_out { seat: 1 place: 2 }"),
    (rules.Forfeited(3), "forfeited { seat: 3 }"),
    (
        rules.DealEnded((3,), ((1,), (0, 2), (3,)), 2, DealEndReason.FOOL),
        "deal_ended { result { fools: 3 places { number: 1 seats: 1 }"
        " places { number: 2 seats: [0, 2] } places { number: 4 seats: 3 }"
        " epaulettes: 2 reason: DEAL_END_FOOL } }",
    ),
    (
        rules.DealEnded((), (), 0, DealEndReason.BOUND),
        "deal_ended { result { reason: DEAL_END_ENDLESS } }",
    ),
    (
        rules.DealEnded((0, 2), (), 0, DealEndReason.TEAM),
        "deal_ended { result { fools: [0, 2] reason: DEAL_END_FOOL } }",
    ),
]


@pytest.mark.parametrize(("event", "expected"), EVENTS, ids=lambda part: type(part).__name__)
def test_an_event_says_on_the_wire_what_it_says(event: SeenEvent, expected: str) -> None:
    record = SeenRecord(7, datetime(2026, 1, 2, 3, 4, 5, 600_000, tzinfo=UTC), event)

    (sent,) = wire_events([record])

    frame = "sequence: 7 recorded_at { seconds: 1767323045 nanos: 600000000 }"
    assert sent == text_format.Parse(f"{frame} {expected}", event_pb2.Event())


def test_the_first_event_tells_the_rules_and_not_the_invite_code() -> None:
    made = matches.SeenMatchCreated(
        Preset.PEREVODNOY,
        rules.preset(Preset.PEREVODNOY),
        "p",
        Visibility.UNLISTED,
        Spectators.NONE,
    )
    (sent,) = wire_events([SeenRecord(1, datetime(2026, 1, 1, tzinfo=UTC), made)])

    created = sent.match_created
    assert (created.owner_id, created.rules.transfer, created.rules.seats) == ("p", True, 2)
    assert "invite_code" not in event_pb2.MatchCreated.DESCRIPTOR.fields_by_name


def test_every_kind_of_the_contract_is_sent() -> None:
    shown = {expected.partition(" ")[0] for _, expected in EVENTS} | {"match_created"}
    assert shown == {field.name for field in event_pb2.Event.DESCRIPTOR.oneofs[0].fields}
