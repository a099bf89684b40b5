"""Seats, lifecycle and clocks as data; who may act, and what each may see."""
