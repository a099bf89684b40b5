"""What the server tells of itself: logs, metrics, spans, status pages and the audit log."""
