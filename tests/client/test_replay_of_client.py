"""Replays in the client: from files, and where keys lead in them."""

from pathlib import Path

import pytest

from durak_client.cards import Card
from durak_client.cli.replay_place import KEYS, Place, bouts, start
from durak_client.events import DealStarted, Drew
from durak_client.local.file_replay import FileReplay
from durak_client.matches import MatchStatus, Preset
from durak_client.view import View
from tests.client.players import player
from tests.live_server import running_server

RECORDED = Path(__file__).parents[1] / "recorded"


@pytest.fixture(scope="module")
def file() -> FileReplay:
    return FileReplay.read(RECORDED / "prostoy.json")


def on_table(view: View) -> list[Card]:
    assert view.deal
    pairs = view.deal.table
    return [card for pair in pairs for card in (pair.attack, pair.cover) if card]


async def test_a_file_shows_every_moment_from_every_seat(file: FileReplay) -> None:
    replay = file.replay
    assert (replay.info.preset, replay.info.status, replay.open_cards, replay.last) == (
        *(Preset.PROSTOY, MatchStatus.FINISHED),
        *(True, 180),
    )
    for sequence in range(start(replay), replay.last + 1):
        view = await file.view_at(sequence, open_cards=True)
        assert view.deal
        assert view.sequence == sequence
        hands = [seat.hand for seat in view.deal.seats]
        cards = [card for hand in hands for card in hand] + on_table(view)
        assert len(cards) == len(set(cards)) == 36 - view.deal.stock_size - view.deal.discard_size
        for seat, hand in enumerate(hands):
            seen = await file.view_at(sequence, seat)
            assert (seen.seat, seen.hand) == (seat, hand)


async def test_open_events_tell_every_card(file: FileReplay) -> None:
    (dealt,) = [e.fact for e in file.replay.events if isinstance(e.fact, DealStarted)]
    first = await file.view_at(start(file.replay), open_cards=True)
    assert first.deal
    assert dealt.dealt_hands == tuple(seat.hand for seat in first.deal.seats)
    assert len(set(dealt.order)) == 36
    draws = [e.fact for e in file.replay.events if isinstance(e.fact, Drew)]
    assert all(len(drew.cards) == drew.count for drew in draws)


@pytest.mark.parametrize(
    ("keys", "sequence"),
    [
        (["n"], 6),
        (["n", " ", "\r", "\x1b[C"], 9),
        (["n", "p", "\x1b[D"], 4),
        (["p"] * 9, 1),
        (["b"], 6),
        (["b", "b", "B"], 6),
        (["\x1b[B", "\x1b[A"], 5),
        (["G"], 180),
        (["G", "n", "b"], 180),
        (["G", "g"], 5),
        (["o", "o"], 5),
    ],
)
def test_keys_lead_somewhere(file: FileReplay, keys: list[str], sequence: int) -> None:
    place = Place(start(file.replay), None, open_cards=True)
    for key in keys:
        place = place.after(KEYS[key], file.replay)
    assert place == Place(sequence, None, open_cards=True)


def test_a_seat_is_taken_if_it_is_there(file: FileReplay) -> None:
    place = Place(9, None, open_cards=True)
    assert place.from_seat(1, file.replay) == Place(9, 1, open_cards=False)
    assert place.from_seat(2, file.replay) == place
    assert bouts(file.replay)[:2] == [6, 11]


async def test_a_match_in_play_is_seen_from_the_own_seat() -> None:
    async with running_server() as server, player(server.port, "Vasya") as vasya:
        match = await vasya.create_match("podkidnoy", seats=2, start_when_full=True)
        await match.add_bot("lowest")
        async for update in match.follow():
            if update.view and update.view.legal_moves:
                break
        replay = await match.replay()
        assert replay.open_cards is False
        assert [event.sequence for event in replay.events] == list(range(1, replay.last + 1))
        assert await match.view_at(0) == await match.view()
        assert replay.info == match.info
        place = Place(start(replay), None, open_cards=False)
        assert place.after(KEYS["o"], replay) == place
        assert place.from_seat(1, replay) == place
