"""Causes every trouble there is an alert for, and says when it was told: `make try-alerts`."""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.alerts.trial import seconds_until_told
from tests.alerts.troubles import TROUBLES


async def try_all(alerts: list[str]) -> int:
    """Try the alerts, one after the other; return how many did not fire."""
    silent = 0
    for alert in alerts:
        with TemporaryDirectory() as folder:
            try:
                seconds = await seconds_until_told(alert, Path(folder))
                print(f"{alert}: told after {seconds:.0f} s", flush=True)
            except TimeoutError:
                silent += 1
                print(f"{alert}: NOT told", flush=True)
    return silent


if __name__ == "__main__":
    sys.exit(asyncio.run(try_all(sys.argv[1:] or list(TROUBLES))) > 0)
