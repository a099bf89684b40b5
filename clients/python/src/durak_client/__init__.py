"""A client for servers that host matches of durak."""
