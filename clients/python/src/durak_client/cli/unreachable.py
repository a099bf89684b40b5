"""Why a server cannot be reached, as far as gRPC tells."""

import re
from typing import Final

from durak_client.cli import words

_KINDS: Final = (
    (re.compile(r"CERTIFICATE_VERIFY_FAILED: (?P<why>[^:]+)"), words.NOT_TRUSTED),
    (re.compile(r"CERTIFICATE_VERIFY_FAILED"), words.NOT_TRUSTED_FOR_SOME_REASON),
    (re.compile(r"Hostname Verification Check failed"), words.ANOTHERS_CERTIFICATE),
    (re.compile(r"WRONG_VERSION_NUMBER"), words.NO_TLS),
    (re.compile(r"Failed to create security handshaker"), words.NO_AUTHORITIES),
    (re.compile(r"Socket closed"), words.HUNG_UP),
)
"""What gRPC's own messages have in them, and what it means."""


def unreachable(server: str, message: str) -> str:
    """Return in one line what is wrong and what helps; `message` is gRPC's.

    Its texts are no promise: where none is known any more, no server answers.
    """
    for pattern, text in _KINDS:
        if found := pattern.search(message):
            return text.format(server=server, **found.groupdict())
    where = server if ":" in server else words.WITHOUT_PORT.format(server=server)
    return words.UNREACHABLE.format(server=where)
