"""What is logged while a block runs."""

import io
import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import structlog

from durak_server.observe.logs import set_up_logging


def debug_lines() -> AbstractContextManager[io.StringIO]:
    """Log everything, as JSON, to what is entered, and to nowhere else."""
    return lines_from("debug")


@contextmanager
def lines_from(least: str) -> Iterator[io.StringIO]:
    """Log from a level upwards, as JSON, to what is yielded, and to nowhere else."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    set_up_logging(least, as_json=True, stream=stream)
    try:
        yield stream
    finally:
        root.handlers = handlers
        root.setLevel(level)
        structlog.reset_defaults()
