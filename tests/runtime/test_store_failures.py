"""What is counted when a store does not store."""

import pytest

from durak_server.observe.metrics import Metrics
from durak_server.runtime import Limits, LiveMatches, Surroundings
from durak_server.store import StoreBusy, StoreCorrupt, StoreUnavailable
from tests.runtime.faulty_stores import FailingStore
from tests.runtime.tables import next_move, playing


@pytest.mark.parametrize("failure", [StoreBusy, StoreCorrupt, StoreUnavailable])
async def test_each_append_that_fails_is_counted_by_what_was_wrong(
    failure: type[Exception],
) -> None:
    metrics, store = Metrics("test"), FailingStore()
    live = LiveMatches(Surroundings(store, metrics, Limits()))
    match = await playing(live)
    before = counts(metrics)
    store.failure = failure("no")

    with pytest.raises(failure):
        await match.submit(next_move(match.match, "1"))

    assert before == {"StoreBusy": 0, "StoreCorrupt": 0, "StoreUnavailable": 0}
    assert counts(metrics) == before | {failure.__name__: 1}
    await live.close()


def counts(metrics: Metrics) -> dict[str, float]:
    (family,) = metrics.store.failures.collect()
    return {
        sample.labels["reason"]: sample.value
        for sample in family.samples
        if sample.name == "durak_store_failures_total"
    }
