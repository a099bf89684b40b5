"""The server's settings: environment variables DURAK_..., overridden by the flags of `serve`."""

from durak_server.config.identity import SHORTEST_SECRET, AuthMode, read_secret
from durak_server.config.listening import StoreKind, is_loopback
from durak_server.config.loading import InvalidSettings, load_settings
from durak_server.config.log import LogFormat, LogLevel
from durak_server.config.settings import PREFIX, Network, Settings

__all__ = [
    "PREFIX",
    "SHORTEST_SECRET",
    "AuthMode",
    "InvalidSettings",
    "LogFormat",
    "LogLevel",
    "Network",
    "Settings",
    "StoreKind",
    "is_loopback",
    "load_settings",
    "read_secret",
]
