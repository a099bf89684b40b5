import stat
from pathlib import Path

import pytest

from durak_client.cli.guests import Guest, guests_file, save_guest, saved_guest


def test_a_guest_is_kept_for_each_server_readable_by_its_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "state" / "durak" / "guests.json"
    save_guest("one:1", Guest("Вася", "t1"), file)
    save_guest("two:2", Guest("Boris", "t2"), file)
    save_guest("one:1", Guest("Vasya", "t3"), file)
    assert saved_guest("one:1", file) == Guest("Vasya", "t3")
    assert saved_guest("two:2", file) == Guest("Boris", "t2")
    assert saved_guest("three:3", file) is None
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in file.parent.iterdir()] == ["guests.json"]


@pytest.mark.parametrize("spoilt", ["", "{", "[]", '{"one:1": 5}', '{"one:1": {"name": "x"}}'])
def test_a_spoilt_file_is_as_none(spoilt: str, tmp_path: Path) -> None:
    file = tmp_path / "guests.json"
    file.write_text(spoilt)
    assert saved_guest("one:1", file) is None


def test_guests_are_kept_where_the_user_keeps_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/somewhere/state")
    assert guests_file() == Path("/somewhere/state/durak/guests.json")
