"""Everything that is logged while a block runs."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from durak_server.observe.logs import set_up_logging


@contextmanager
def debug_lines() -> Iterator[io.StringIO]:
    """Log from debug upwards, as JSON, to what is yielded, and to nowhere else."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    set_up_logging("debug", as_json=True, stream=stream)
    try:
        yield stream
    finally:
        root.handlers = handlers
        root.setLevel(level)
        structlog.reset_defaults()
