"""House bots: they see what their seat sees, and nothing that such a player does not."""

from durak_server.bots.house_bots import HouseBots, Pace
from durak_server.bots.policy import POLICIES, Policy

__all__ = ["POLICIES", "HouseBots", "Pace", "Policy"]
