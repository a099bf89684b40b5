"""What is logged, and how."""

from enum import StrEnum

from pydantic import Field
from pydantic_settings import BaseSettings


class LogFormat(StrEnum):
    """How log lines are written; AUTO is CONSOLE on a terminal, else JSON."""

    AUTO = "auto"
    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    """The least important lines that are written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogSettings(BaseSettings):
    """The settings of the log."""

    log_format: LogFormat = Field(LogFormat.AUTO, description="How log lines are written.")
    log_level: LogLevel = Field(LogLevel.INFO, description="The least important lines written.")
    log_lines_per_second: int = Field(
        10,
        ge=1,
        le=100_000,
        description="Log lines a second for refused calls with the same status code.",
    )
