"""How every test runs, and what any of them may ask for.

A run repeats the last one example for example, and no example has a deadline: the machine may be
busy. `pytest --hypothesis-profile=explore` looks for new examples, and for many more.
"""

import io
import logging
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

from durak_server.observe.logs import set_up_logging

settings.register_profile("repeat", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile("repeat")


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Everything logged, from debug upwards, as JSON."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    set_up_logging("debug", as_json=True, stream=stream)
    yield stream
    root.handlers = handlers
    root.setLevel(level)
    structlog.reset_defaults()
