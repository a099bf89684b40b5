"""Bans are kept in every store, and in the file of one that is opened again."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from durak_server.store import Ban, EventStore, SqliteStore

NOON = datetime(2026, 11, 30, 12, 0, 0, 1, tzinfo=UTC)
FOR_GOOD = Ban("anna", "be kind", "operator", NOON)
FOR_A_DAY = Ban("anna", "", "another", NOON, NOON + timedelta(days=1))
OF_BORIS = Ban("boris", "Хватит", "operator", NOON)


async def test_a_ban_is_kept_until_it_is_lifted(store: EventStore) -> None:
    await store.set_ban("anna", FOR_GOOD)
    await store.set_ban("boris", OF_BORIS)
    assert sorted(await store.bans(), key=lambda ban: ban.player_id) == [FOR_GOOD, OF_BORIS]

    await store.set_ban("anna", None)
    await store.set_ban("nobody", None)
    assert await store.bans() == [OF_BORIS]


async def test_another_ban_replaces_the_one_before(store: EventStore) -> None:
    await store.set_ban("anna", FOR_GOOD)
    await store.set_ban("anna", FOR_A_DAY)

    assert await store.bans() == [FOR_A_DAY]


async def test_a_file_that_is_opened_again_has_its_bans(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "durak.sqlite")
    await store.set_ban("anna", FOR_A_DAY)
    await store.close()

    again = await SqliteStore.open(tmp_path / "durak.sqlite")
    assert await again.bans() == [FOR_A_DAY]
    await again.close()
