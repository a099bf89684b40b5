"""Whose a token is."""

import base64
import binascii
import json


def token_subject(token: str) -> str:
    """Return the id of the token's player, unverified: only the server can verify it.

    It is empty if the token does not tell.
    """
    try:
        payload = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return str(claims["sub"])
    except (IndexError, KeyError, TypeError, ValueError, binascii.Error):
        return ""
