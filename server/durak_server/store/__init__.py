"""How events are kept and read back, whatever they mean."""
