from datetime import timedelta
from itertools import islice

from durak_client.identifiers import new_match_id, new_request_id
from durak_client.patience import Patience, pause_seconds


def test_waits_are_random_below_a_bound_that_doubles_to_the_longest() -> None:
    patience = Patience(first_wait=timedelta(seconds=1), longest_wait=timedelta(seconds=5))
    bounds = [1, 2, 4, 5, 5, 5]
    tries = [list(islice(patience.waits(), 6)) for _ in range(200)]
    assert all(
        0 <= wait <= bound for waits in tries for wait, bound in zip(waits, bounds, strict=True)
    )
    for place, bound in enumerate(bounds):
        assert min(waits[place] for waits in tries) < bound / 4
        assert max(waits[place] for waits in tries) > bound * 3 / 4


def test_what_the_server_asks_for_is_waited_and_a_random_part_more() -> None:
    pauses = [pause_seconds(0.1, asked=2) for _ in range(200)]
    assert 2 <= min(pauses) < 2.1
    assert 2.9 < max(pauses) <= 3


def test_a_long_wait_is_not_cut_by_what_the_server_asks_for() -> None:
    assert pause_seconds(5, asked=0.5) == 5
    assert pause_seconds(0.1, asked=None) == 0.1


def test_match_ids_are_uuids_of_version_7_that_sort_by_age() -> None:
    ids = [new_match_id() for _ in range(50)]
    assert len(set(ids)) == 50
    assert {(len(made), made[14], made[19] in "89ab") for made in ids} == {(36, "7", True)}
    assert [made[:13] for made in ids] == sorted(made[:13] for made in ids)


def test_no_two_calls_share_a_request_id() -> None:
    ids = {new_request_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(1 <= len(made) <= 64 and made.isascii() and made.isprintable() for made in ids)
