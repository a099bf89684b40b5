"""`python -m durak_server` and the command `durak-server`."""

import os


def main() -> None:
    """Run the command."""
    # gRPC's core writes lines that are none of our log, as many as strangers cause, and asks once,
    # when it is loaded, whether it shall.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from durak_server.cli import main as run  # noqa: PLC0415  # loads gRPC

    run()


if __name__ == "__main__":
    main()
