"""Whatever is logged, from debug upwards, is searched for what nobody but the players may know."""

import io
import json
import os
import re
from base64 import b64encode
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from grpc import aio

from durak_server.app import DurakServer
from durak_server.rules import Preset
from tests.api.knowledge import Knowledge
from tests.api.taps import cards_named
from tests.live_server import (
    Calls,
    Guest,
    connected,
    failure_of,
    play_to_the_end,
    running_server,
)

# More find more: `make secrets`.
MATCHES_OF_EACH = int(os.environ.get("SECRETS_MATCHES", "1"))
UNHINDERED = {"guests_per_second": 10_000, "address_passwords_per_second": 10_000}


# Of every secret; by it a text is searched once for all of them.
START = 6


class Secrets:
    """What must not be logged, gathered while matches are played."""

    def __init__(self, seed: int) -> None:
        self._by_start: defaultdict[str, set[str]] = defaultdict(set)
        self._dice = Random(seed)

    def __len__(self) -> int:
        return sum(map(len, self._by_start.values()))

    def keep(self, text: str) -> str:
        """Know a text as a secret from now on."""
        assert len(text) >= START
        self._by_start[text[:START]].add(text)
        return text

    def keep_seed(self, seed: bytes) -> bytes:
        """Know a seed as a secret, in any of its usual forms."""
        for form in (seed.hex(), b64encode(seed).decode(), json.dumps(str(seed))[3:-2]):
            self.keep(form)
        return seed

    async def play(self, server: DurakServer, calls: Calls, rules: Preset) -> None:
        """Play a match in which everything is said, given and got wrong that is secret."""
        players = await calls.guests(2)
        owner, other = players
        for player in players:
            self.keep(player.token)
        made = await owner.create(
            preset=f"PRESET_{rules.name}", rules={"seats": 3}, password=self._text()
        )
        match_id = made.info.match_id
        self.keep(made.info.invite_code)
        self.keep((await owner.renew_invite(match_id)).invite_code)
        await failure_of(other.join(match_id, password=self._text()))
        await failure_of(other.join(invite_code=self._text(8)))
        code = (await owner.look(match_id)).info.invite_code
        await other.join(invite_code=code, seed=self._seed())
        await owner.add_seed(match_id, seed=self._seed(), commitment=made.commitment)
        await owner.add_bot(match_id)
        await owner.start(match_id)
        with suppress(aio.AioRpcError):  # some rules want phrases alone, or silence
            await owner.say(match_id, self._text())
        await failure_of(Guest(calls, "", "", f"{owner.token}{self._text()}").my_matches())
        await play_to_the_end(match_id, players)
        live = await server.live.find(match_id)
        for _, seed in Knowledge(live.history).seeds_by_sequence_of_showing:
            self.keep_seed(seed)

    def found_in(self, text: str) -> set[str]:
        """Return the secrets that a text has."""
        return {
            secret
            for at in range(len(text))
            for secret in self._by_start.get(text[at : at + START], ())
            if text.startswith(secret, at)
        }

    def _text(self, length: int = 12) -> str:
        return self.keep("".join(self._dice.choices("abcdefghkmnpqrstuvwxyz", k=length)))

    def _seed(self) -> bytes:
        return self.keep_seed(self._dice.randbytes(32))


def drained(lines: io.StringIO) -> str:
    """Return what was logged since the last time."""
    text = lines.getvalue()
    lines.seek(0)
    lines.truncate()
    return text


@pytest.mark.parametrize("rules", Preset)
async def test_logs_of_whole_matches_hold_no_secret_and_no_card(
    rules: Preset, lines: io.StringIO, tmp_path: Path
) -> None:
    secrets = Secrets(1)
    async with (
        running_server(store="sqlite", data=tmp_path, **UNHINDERED) as server,
        connected(server) as calls,
    ):
        for number in range(MATCHES_OF_EACH):
            await secrets.play(server, calls, rules)
            text = drained(lines)
            assert len(text.splitlines()) > 50  # a short match
            assert len(secrets) > 8 * number
            assert_nothing_told(text, secrets)
    assert_nothing_told(drained(lines), secrets)


def assert_nothing_told(text: str, secrets: Secrets) -> None:
    assert secrets.found_in(text) == set()
    assert not cards_named(text)
    assert not re.search(r"CARD_|_OF_", text)


def test_a_secret_that_were_logged_would_be_found() -> None:
    secrets = Secrets(1)
    secrets.keep("kladez")
    seed = secrets.keep_seed(b"\x00" * 16 + b"\xff" * 16)

    for told in ("kladez", seed.hex(), b64encode(seed).decode(), str(seed)):
        line = json.dumps({"event": "call", "told": told})
        assert len(secrets.found_in(line)) == 1, told
    assert secrets.found_in(json.dumps({"event": "call"})) == set()
    assert cards_named('{"move": "8S"}')
