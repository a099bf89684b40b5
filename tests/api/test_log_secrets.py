"""Whatever is logged, from debug upwards, is searched for what nobody but the players may know."""

import io
import json
import os
import re
from base64 import b64encode
from contextlib import suppress
from pathlib import Path
from random import Random

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


class Secrets:
    """What must not be logged, gathered while matches are played."""

    def __init__(self, seed: int) -> None:
        self.texts: set[str] = set()
        self.seeds: set[bytes] = set()
        self._dice = Random(seed)

    async def play(self, server: DurakServer, calls: Calls, rules: Preset) -> None:
        """Play a match in which everything is said, given and got wrong that is secret."""
        players = await calls.guests(2)
        owner, other = players
        self.texts |= {player.token for player in players}
        made = await owner.create(
            preset=f"PRESET_{rules.name}", rules={"seats": 3}, password=self._text()
        )
        match_id = made.info.match_id
        self.texts |= {made.info.invite_code, (await owner.renew_invite(match_id)).invite_code}
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
        self.seeds |= {seed for _, seed in Knowledge(live.history).seeds_by_sequence_of_showing}

    def found_in(self, text: str) -> set[str]:
        """Return the secrets that a text has, seeds in any of their usual forms."""
        forms = {form for seed in self.seeds for form in (seed.hex(), b64encode(seed).decode())}
        forms |= {json.dumps(str(seed))[3:-2] for seed in self.seeds}
        return {secret for secret in self.texts | forms if secret in text}

    def _text(self, length: int = 12) -> str:
        text = "".join(self._dice.choices("abcdefghkmnpqrstuvwxyz", k=length))
        self.texts.add(text)
        return text

    def _seed(self) -> bytes:
        seed = self._dice.randbytes(32)
        self.seeds.add(seed)
        return seed


async def test_logs_of_whole_matches_hold_no_secret_and_no_card(
    lines: io.StringIO, tmp_path: Path
) -> None:
    secrets = Secrets(1)
    async with (
        running_server(store="sqlite", data=tmp_path, **UNHINDERED) as server,
        connected(server) as calls,
    ):
        for rules in list(Preset) * MATCHES_OF_EACH:
            await secrets.play(server, calls, rules)

    text = lines.getvalue()
    assert len(text.splitlines()) > 100 * MATCHES_OF_EACH
    assert len(secrets.texts) > 40 * MATCHES_OF_EACH
    assert secrets.found_in(text) == set()
    assert not cards_named(text)
    assert not re.search(r"CARD_|_OF_", text)


def test_a_secret_that_were_logged_would_be_found() -> None:
    secrets = Secrets(1)
    secrets.texts, secrets.seeds = {"kladez"}, {b"\x00" * 16 + b"\xff" * 16}
    (seed,) = secrets.seeds

    for told in ("kladez", seed.hex(), b64encode(seed).decode(), str(seed)):
        assert secrets.found_in(json.dumps({"event": "call", "told": told})), told
    assert cards_named('{"move": "8S"}')
