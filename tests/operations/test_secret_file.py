from pathlib import Path

import jwt

from tests.live_server import connected, running_server


async def test_tokens_are_signed_with_the_secret_of_the_file(tmp_path: Path) -> None:
    secret = "s" * 64
    (tmp_path / "secret").write_text(f"{secret}\n")
    async with (
        running_server(token_secret_file=tmp_path / "secret") as server,
        connected(server) as calls,
    ):
        guest = await calls.guest()

    claims = jwt.decode(guest.token, secret, algorithms=["HS256"], audience="durak")
    assert claims["sub"] == guest.player_id
