import pytest

from durak_server.rules import Move, MoveGroup, MoveKind, count, expand, mask_of, parse_card, pick


def group(cards: str, least: int, most: int) -> MoveGroup:
    return MoveGroup(MoveKind.THROW_IN, mask_of(map(parse_card, cards.split())), -1, least, most)


def throw(cards: str) -> Move:
    return Move(MoveKind.THROW_IN, mask_of(map(parse_card, cards.split())))


def test_a_group_lists_single_cards_first_then_pairs_by_card_number() -> None:
    assert list(expand(group("7C 7S 7H", 1, 2))) == [
        throw("7S"),
        throw("7H"),
        throw("7C"),
        throw("7S 7H"),
        throw("7S 7C"),
        throw("7H 7C"),
    ]


GROUPS = [
    group("7S", 1, 1),
    group("7S 7H 7D 7C", 1, 1),
    group("7S 7H 7D 7C", 1, 4),
    group("7S 8S 9S TS JS QS KS", 1, 5),
    group("7S 8S 9S TS", 2, 3),
    MoveGroup(MoveKind.PASS, 0, -1, 0, 0),
    MoveGroup(MoveKind.BEAT, mask_of([9, 11, 20]), 5, 1, 1),
]


@pytest.mark.parametrize("moves", GROUPS)
def test_picking_by_index_gives_the_moves_in_the_order_of_the_list(moves: MoveGroup) -> None:
    assert [pick(moves, index) for index in range(count(moves))] == list(expand(moves))


@pytest.mark.parametrize("moves", GROUPS)
def test_there_is_no_move_beyond_the_last(moves: MoveGroup) -> None:
    for index in (-1, count(moves)):
        with pytest.raises(IndexError):
            pick(moves, index)


def test_a_group_of_many_cards_is_counted_and_picked_from_without_listing_it() -> None:
    many = MoveGroup(MoveKind.THROW_IN, 2**54 - 1, -1, 1, 54)
    assert count(many) == 2**54 - 1
    assert pick(many, 2**54 - 2) == Move(MoveKind.THROW_IN, 2**54 - 1)
