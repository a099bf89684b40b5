"""Settings read from the environment, overridden by flags."""

import os
from typing import Any

from pydantic import ValidationError

from durak_server.config.settings import PREFIX, Settings


class InvalidSettings(Exception):
    """A setting is unknown or malformed; the text says which, in one line."""


def load_settings(
    **flags: Any,  # Any: each setting has a type of its own
) -> Settings:
    """Return the settings of the environment, overridden by those `flags` that are not None.

    Raises:
        InvalidSettings: a DURAK_ variable is unknown, or a value is malformed.
    """
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    for name in sorted(os.environ):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            raise InvalidSettings(f"unknown setting {name}; `durak-server config` lists them all")
    try:
        return Settings(**{name: value for name, value in flags.items() if value is not None})
    except ValidationError as error:
        raise InvalidSettings(_first_fault(error)) from None


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    text = fault["msg"].removeprefix("Value error, ")
    return f"{PREFIX}{str(fault['loc'][0]).upper()}: {text}" if fault["loc"] else text
