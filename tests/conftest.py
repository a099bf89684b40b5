"""How every test runs, and what any of them may ask for.

A run repeats the last one example for example, and no example has a deadline: the machine may be
busy. `pytest --hypothesis-profile=explore` looks for new examples, and for many more.
"""

import io
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.debug_lines import debug_lines

settings.register_profile("repeat", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile("repeat")


@pytest.hookimpl
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Keep how the run ended, for `make test-again`."""
    of_a_worker = hasattr(session.config, "workerinput")
    if session.config.pluginmanager.hasplugin("cacheprovider") and not of_a_worker:
        session.config.cache.set("exitstatus", int(exitstatus))


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Everything logged, from debug upwards, as JSON."""
    with debug_lines() as stream:
        yield stream
