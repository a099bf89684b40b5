"""A studio's identity provider: its keys over HTTP on loopback, and tokens that it signs."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from tests.fake_time import NOON

ISSUER = "https://id.example"
AUDIENCE = "durak"
TRUSTING: dict[str, Any] = {"auth": "jwt", "jwt_issuer": ISSUER, "jwt_audience": AUDIENCE}
"""Settings of a server that trusts a provider, but for its keys."""
PrivateKey = ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
CLAIMS: dict[str, Any] = {  # Any: a claim may be anything
    "iss": ISSUER,
    "aud": AUDIENCE,
    "sub": "auth0|anna",
    "name": "Anna",
    "scope": "openid play",
    "exp": NOON + timedelta(hours=1),
}


class SigningKey:
    """A key pair of the provider's; `key_id` is None for one that he shows without."""

    def __init__(
        self, key_id: str | None, key: PrivateKey | None = None, algorithm: str = "EdDSA"
    ) -> None:
        self.key_id = key_id
        self.key = key or ed25519.Ed25519PrivateKey.generate()
        self.algorithm = algorithm

    @property
    def public(self) -> dict[str, Any]:  # Any: members of a JWK
        """The key as the provider shows it."""
        named = {} if self.key_id is None else {"kid": self.key_id}
        return _as_jwk(self.key) | {"alg": self.algorithm, "use": "sig"} | named

    def token(
        self,
        **claims: Any,  # Any: as above
    ) -> str:
        """Return a token with these claims and the usual others; what is None is left out."""
        said = {name: claim for name, claim in (CLAIMS | claims).items() if claim is not None}
        headers = {} if self.key_id is None else {"kid": self.key_id}
        return jwt.encode(said, self.key, algorithm=self.algorithm, headers=headers)


SECRET = ed25519.Ed25519PrivateKey.generate()
OLD, NEW = SigningKey("old", SECRET), SigningKey("new")


class IdentityProvider:
    """Shows a set of keys, or whatever else `page` is; counts those who ask."""

    def __init__(self, *keys: SigningKey) -> None:
        self.page = b""
        self.requests = 0
        self._may_answer = threading.Event()
        self._may_answer.set()
        self.show(*keys)
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.requests += 1
                provider._may_answer.wait()
                self.send_response(200 if provider.page else 503)
                self.end_headers()
                self.wfile.write(provider.page)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        """Where the keys are."""
        return f"http://127.0.0.1:{self._server.server_port}/keys"

    @property
    def settings(self) -> dict[str, Any]:  # Any: each setting has a type of its own
        """The settings of a server that trusts this provider."""
        return TRUSTING | {"jwks_url": self.url}

    def show(self, *keys: SigningKey) -> None:
        """Show these keys from now on."""
        self.page = json.dumps({"keys": [key.public for key in keys]}).encode()

    def fail(self) -> None:
        """Answer no question from now on."""
        self.page = b""

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let everybody who asks wait until the end of the block."""
        self._may_answer.clear()
        try:
            yield
        finally:
            self._may_answer.set()

    @contextmanager
    def serving(self) -> Iterator["IdentityProvider"]:
        """Serve until the end of the block."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()


def _as_jwk(key: PrivateKey) -> dict[str, Any]:  # Any: as above
    match key:
        case ed25519.Ed25519PrivateKey():
            return OKPAlgorithm.to_jwk(key.public_key(), as_dict=True)
        case rsa.RSAPrivateKey():
            return RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
        case _:
            return ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
