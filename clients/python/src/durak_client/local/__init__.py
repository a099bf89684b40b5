"""What needs the server's own rules in this process: `pip install 'durak-client[local]'`."""
