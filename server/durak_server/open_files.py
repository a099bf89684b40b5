"""How many files the process may have open: each connection is one."""

import resource

from durak_server.observe.logs import logger

_log = logger(__name__)


def raise_open_files() -> None:
    """Raise the soft limit of this process to the hard one, and log what holds."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError):
        # Some systems call the hard limit infinite and grant less.
        _log.warning("the limit of open files stays", limit=soft)
    else:
        _log.info("open files", limit=hard, before=soft)
