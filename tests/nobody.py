"""A user whom permissions hold back, which they do not with root."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_NOBODY: Final = 65_534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Act as such a user until the end of the block; whoever is not root is one already."""
    is_root = os.geteuid() == 0
    if is_root:
        # The real id as well: by that one `access` goes.
        os.setresuid(_NOBODY, _NOBODY, 0)
    try:
        yield
    finally:
        if is_root:
            os.setresuid(0, 0, 0)
