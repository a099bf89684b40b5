"""Every metric, and how logging is set up."""
