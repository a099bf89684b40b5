"""What a call's metadata says."""

from durak_server.api.calls import Context


def metadata_value(context: Context, key: str) -> str:
    """Return the first text under `key`, or an empty one."""
    for name, value in context.invocation_metadata() or ():
        if name == key and isinstance(value, str):
            return value
    return ""
