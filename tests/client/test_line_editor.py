import pytest

from durak_client.cli.typed_keys import LineEditor

KEYS = [
    # keys               finished lines    left at the prompt
    ("7s", [], "7s"),
    ("7s\r", ["7s"], ""),
    ("1\n2", ["1"], "2"),
    ("12\x7f\x7f3", [], "3"),
    ("\x7f", [], ""),
    ("wrong\x15right\r", ["right"], ""),
    ("1\x1b[A\x1b[3~\x1bOP2", [], "12"),
    ("\x04", [None], ""),
    ("\x00\x01a", [], "a"),
    ("x" * 100, [], "x" * 60),
]


@pytest.mark.parametrize(("keys", "finished", "typed"), KEYS)
def test_keys_edit_a_line(keys: str, finished: list[str | None], typed: str) -> None:
    editor = LineEditor()
    assert (editor.feed(keys), editor.typed) == (finished, typed)
