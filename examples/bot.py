"""A bot in ten lines: plays one match against a house bot at random."""

import asyncio
import random

from durak_client import Client, Move, View, play


def choose(view: View) -> Move:
    return random.choice([group.lowest(view.trump) for group in view.legal_moves])


async def main() -> None:
    async with await Client.connect("127.0.0.1:50051", name="Vasya") as client:
        match = await client.create_match("podkidnoy", seats=2)
        await match.add_bot("lowest")
        await match.start()
        end = await play(client, match, choose)
        print("The fool:", ", ".join(map(end.name_of, end.fools)) or "nobody")


asyncio.run(main())
