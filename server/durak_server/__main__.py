"""`python -m durak_server` and the command `durak-server`."""

from durak_server.cli import main

if __name__ == "__main__":
    main()
