"""Table talk through the client library."""

from contextlib import aclosing

import pytest

from durak_client import Match, Phrase, Reaction, RuleRefused
from durak_client.cli.talk_words import typed_speech
from durak_client.events import Said
from durak_client.talk import Speech
from tests.client.players import player
from tests.live_server import running_server


async def next_said(match: Match, after: int) -> Said:
    """Return the next thing said after an event."""
    async with aclosing(match.follow(after)) as updates:
        async for update in updates:
            for event in update.events:
                if isinstance(event.fact, Said):
                    return event.fact
    raise AssertionError("the stream ended")


@pytest.mark.parametrize("speech", ["Ну, погоди!", Phrase.HURRY_UP, Reaction.SURPRISE])
async def test_what_is_said_is_heard_on_both_kinds_of_stream(speech: Speech) -> None:
    async with (
        running_server() as server,
        player(server.port, "Vasya") as vasya,
        player(server.port, "Boris") as boris,
        boris.stream() as stream,
    ):
        mine = await vasya.create_match()
        his = stream.match(await boris.join(mine.match_id))
        after = await mine.say(speech) - 1
        heard = Said(0, vasya.player_id, speech)
        assert await next_said(his, after) == heard
        assert await next_said(mine, await his.say(speech) - 1) == Said(1, boris.player_id, speech)


async def test_a_muted_player_is_not_heard_from_now_on_nor_later() -> None:
    async with (
        running_server() as server,
        player(server.port, "Vasya") as vasya,
        player(server.port, "Boris") as boris,
    ):
        mine = await vasya.create_match()
        his = await boris.join(mine.match_id)
        async with aclosing(mine.follow((await mine.view()).sequence)) as updates:
            await anext(updates)
            vasya.muted.add(boris.player_id)
            said = await his.say("Noise")
            update = await anext(updates)
        assert [event.fact for event in update.events] == [Said(1, boris.player_id, None)]
        assert (await next_said(mine, said - 1)).speech is None
        vasya.muted.clear()
        assert (await next_said(mine, said - 1)).speech == "Noise"


async def test_a_table_without_talk_refuses_it() -> None:
    async with running_server() as server, player(server.port) as vasya:
        match = await vasya.create_match(table_talk="OFF")
        with pytest.raises(RuleRefused) as refused:
            await match.say(Phrase.HELLO)
        assert refused.value.reason == "TALK_FORBIDDEN"


TYPED: list[tuple[str, Speech]] = [
    ("hello", Phrase.HELLO),
    ("Good luck!", Phrase.GOOD_LUCK),
    ("thumb up", Reaction.THUMB_UP),
    ("Hello there", "Hello there"),
    ("unspecified", "unspecified"),
]


@pytest.mark.parametrize(("text", "speech"), TYPED)
def test_a_phrase_is_typed_by_its_name(text: str, speech: Speech) -> None:
    assert typed_speech(text) == speech
    assert type(typed_speech(text)) is type(speech)
