"""A server that hosts matches of durak over gRPC."""
