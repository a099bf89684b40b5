"""The `durak` command: play, watch and find matches from a terminal."""

from durak_client.cli.app import app


def main() -> None:
    """Run the command with the arguments of this process."""
    app()
