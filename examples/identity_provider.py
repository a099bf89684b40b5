"""An identity provider to try jwt mode with: its keys are files of a folder, and it signs tokens.

There is no page where anybody could sign in, and no limit to what is signed: for real players take
a real provider. How it is used: docs/identity.md.
"""

import json
import os
import time
from pathlib import Path
from typing import Annotated

import jwt
import typer
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.algorithms import OKPAlgorithm

ISSUER = "https://id.example"
AUDIENCE = "durak"

app = typer.Typer(help=__doc__, no_args_is_help=True, rich_markup_mode=None)
Folder = Annotated[Path, typer.Argument(help="Where the keys are.")]


@app.command()
def new_key(folder: Folder) -> None:
    """Make a key that signs from now on, and publish it beside the others."""
    folder.mkdir(mode=0o700, exist_ok=True)
    last = max(map(number_of, folder.glob("key-*.pem")), default=0)
    file = folder / f"key-{last + 1}.pem"
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as private:
        private.write(as_pem(Ed25519PrivateKey.generate()))
    publish(folder)
    typer.echo(file.stem)


@app.command()
def withdraw(folder: Folder, key: Annotated[str, typer.Argument(help="Such as key-1.")]) -> None:
    """Publish a key no longer, and remove it."""
    (folder / f"{key}.pem").unlink()
    publish(folder)


@app.command()
def token(
    folder: Folder,
    player: Annotated[str, typer.Argument(help="The player's id.")],
    name: Annotated[str, typer.Argument(help="What the others call him.")] = "",
    scope: Annotated[str, typer.Option(help="Scopes, parted by spaces.")] = "play",
    hours: Annotated[float, typer.Option(help="How long the token is good.")] = 1,
) -> None:
    """Print a token, signed with the newest key."""
    file = max(folder.glob("key-*.pem"), key=number_of)
    claims = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": player,
        "name": name,
        "scope": scope,
        "exp": int(time.time() + hours * 3600),
    }
    headers = {"kid": file.stem}
    typer.echo(jwt.encode(claims, file.read_bytes(), algorithm="EdDSA", headers=headers))


def publish(folder: Path) -> None:
    """Write the public halves of all keys as a JWK set; whoever reads it finds it whole."""
    keys = [public_half(file) for file in sorted(folder.glob("key-*.pem"), key=number_of)]
    fresh = folder / "jwks.json.new"
    fresh.write_text(json.dumps({"keys": keys}, indent=2) + "\n")
    fresh.replace(folder / "jwks.json")


def public_half(file: Path) -> dict[str, str]:
    """Return the public half of the key in a file, as a JWK."""
    key = serialization.load_pem_private_key(file.read_bytes(), password=None)
    assert isinstance(key, Ed25519PrivateKey), "we made no others"
    jwk: dict[str, str] = json.loads(OKPAlgorithm.to_jwk(key.public_key()))
    return jwk | {"kid": file.stem, "alg": "EdDSA", "use": "sig"}


def as_pem(key: Ed25519PrivateKey) -> bytes:
    """Return a key as it is written to a file."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def number_of(file: Path) -> int:
    """Return the number in the name of a key's file."""
    return int(file.stem.removeprefix("key-"))


if __name__ == "__main__":
    app()
