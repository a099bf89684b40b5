"""A bot in ten lines: plays a match against a house bot, at random."""

import asyncio
import random

from durak_client import Client, play


async def main() -> None:
    async with await Client.connect("127.0.0.1:50051", name="Vasya") as client:
        match = await client.create_match("podkidnoy", seats=2)
        await match.add_bot("lowest")
        await match.start()
        end = await play(client, match, lambda view: random.choice(view.legal_moves))
        print("The fool:", ", ".join(map(end.name_of, end.fools)) or "nobody")


asyncio.run(main())
