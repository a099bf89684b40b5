"""Options of the rules as a person types them."""

import pytest

from durak_client.matches import Option
from durak_client.rule_options import from_rule_set, parse_option, to_rule_set

TYPED = [
    # typed                       option              value                on the wire
    ("deck=52", "deck", 52, 52),
    (" deck = 24 ", "deck", 24, 24),
    ("transfer=on", "transfer", True, True),
    ("lead_many=No", "lead_many", False, False),
    ("throw_in=NEIGHBOURS", "throw_in", "NEIGHBOURS", "NEIGHBOURS"),
    ("throw_in=neighbours", "throw_in", "neighbours", "NEIGHBOURS"),
]


@pytest.mark.parametrize(("text", "name", "value", "sent"), TYPED)
def test_an_option_is_read_as_its_field_has_it(
    text: str, name: str, value: Option, sent: Option
) -> None:
    assert parse_option(text) == (name, value)
    assert from_rule_set(to_rule_set(dict([parse_option(text)]))) == {name: sent}


WRONG = [
    ("deck", "'deck' is not NAME=VALUE"),
    ("=52", "no option is called ''"),
    ("whist=on", "no option is called 'whist'; there are seats, deck, "),
    ("deck=many", "option deck is a number, not 'many'"),
    ("transfer=perhaps", "option transfer is yes or no, not 'perhaps'"),
    ("throw_in=SOME", "option throw_in is one of NONE, NEIGHBOURS, ALL, not 'SOME'"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_what_is_no_option_is_told(text: str, said: str) -> None:
    with pytest.raises(ValueError, match="^" + said):
        parse_option(text)


def test_a_program_may_give_what_a_person_would_type() -> None:
    typed = to_rule_set({"deck": "52", "transfer": "yes", "retract": "off", "teams": "none"})
    assert typed == to_rule_set({"deck": 52, "transfer": True, "retract": False, "teams": "NONE"})
