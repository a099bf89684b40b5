"""Wire messages, status codes and callers."""
