"""How log lines look and what every one of them carries.

Fields that belong to a call (its id, the player, the match, the seat) are bound as context
variables by the API and appear on each line written meanwhile. No line ever has a token or a
hidden card in it: nothing logs requests, answers, positions or events.
"""

import logging
import sys
from typing import TYPE_CHECKING, Final, TextIO

import structlog

if TYPE_CHECKING:
    from structlog.typing import Processor

AUDIT: Final = "audit"
"""The logger of what operators do: its lines are written at any level."""

_TRANSPORT: Final = "grpc._cython.cygrpc"
"""The logger of the library's own server.

Callers make it write as often as they like, and what they sent: tokens, too. What a call fails of
is told by the API, once and in its measure.
"""


def set_up_logging(level: str, *, as_json: bool, stream: TextIO = sys.stderr) -> None:
    """Send the lines of `level` and above to `stream`, those of libraries included.

    Those of the logger `AUDIT` go there whatever the level is, and those of gRPC's server nowhere.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_rendering(as_json=as_json, colours=stream.isatty()),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    logging.getLogger(AUDIT).setLevel(logging.INFO)
    logging.getLogger(_TRANSPORT).setLevel(logging.CRITICAL)


def _rendering(*, as_json: bool, colours: bool) -> list["Processor"]:
    if as_json:
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    # Plain tracebacks: the pretty ones print local variables, and those may hold cards.
    return [
        structlog.dev.ConsoleRenderer(
            colors=colours, exception_formatter=structlog.dev.plain_traceback
        )
    ]


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return the logger of a module."""
    log: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return log
