"""Whether an alert fires when its trouble is there, and not before."""

import asyncio
from contextlib import suppress
from pathlib import Path
from time import perf_counter

from tests.alerts.hurried_rules import hurried
from tests.alerts.place import place_in
from tests.alerts.troubles import SETTINGS, TROUBLES
from tests.operations.scraping import prometheus
from tests.operations.tools import MONITORING

_AT_MOST_SECONDS = 120
_LOOK_SECONDS = 0.2


async def seconds_until_told(alert: str, folder: Path) -> float:
    """Cause the trouble that an alert tells of, with minutes as seconds; return when it fires.

    Raises:
        TimeoutError: it does not fire.
    """
    rules = folder / "alerts.yaml"
    rules.write_text(hurried((MONITORING / "alerts.yaml").read_text()))
    settings = SETTINGS[alert](folder) if alert in SETTINGS else {}
    async with (
        place_in(folder, settings) as place,
        prometheus(folder, place.server.metrics_port, rules) as watching,
    ):
        async with asyncio.timeout(_AT_MOST_SECONDS):
            # Prometheus tells nobody of a scrape.
            while not await watching.query("durak_build_info"):  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_SECONDS)
        assert alert not in await watching.firing()
        begun = perf_counter()
        trouble = asyncio.ensure_future(TROUBLES[alert](place))
        try:
            async with asyncio.timeout(_AT_MOST_SECONDS):
                while alert not in await watching.firing():
                    await asyncio.sleep(_LOOK_SECONDS)
                    if trouble.done():
                        trouble.result()
        finally:
            trouble.cancel()
            with suppress(asyncio.CancelledError):
                await trouble
        return perf_counter() - begun
