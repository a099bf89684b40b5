"""Rule sets as plain mappings from option name to value."""

from collections.abc import Mapping
from types import MappingProxyType

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor

from durak_client.matches import Option
from durak_client.pb.durak.v1 import rules_pb2

_FIELDS: Mapping[str, FieldDescriptor] = rules_pb2.RuleSet.DESCRIPTOR.fields_by_name
_YES_OR_NO: Mapping[str, bool] = {
    "on": True,
    "yes": True,
    "true": True,
    "off": False,
    "no": False,
    "false": False,
}


def to_rule_set(options: Mapping[str, Option]) -> rules_pb2.RuleSet:
    """Return the rule set that says `options` and leaves every other option to the preset.

    Numbers and yes or no may also be words, as a person types them.

    Raises:
        ValueError: no option has this name, or the option has no such value.
    """
    rules = rules_pb2.RuleSet()
    for name, value in options.items():
        if (field := _FIELDS.get(name)) is None:
            raise ValueError(f"no option is called {name!r}; there are {', '.join(_FIELDS)}")
        said = _typed(field, value) if isinstance(value, str) else value
        setattr(rules, name, _number(field, said))
    return rules


def parse_option(text: str) -> tuple[str, Option]:
    """Return the option that `NAME=VALUE` says, as a person types it, such as `deck=52`.

    Raises:
        ValueError: it is not of this form, no option has this name, or it has no such value.
    """
    name, separator, value = (part.strip() for part in text.partition("="))
    if not separator:
        raise ValueError(f"{text!r} is not NAME=VALUE")
    if (field := _FIELDS.get(name)) is None:
        raise ValueError(f"no option is called {name!r}; there are {', '.join(_FIELDS)}")
    option = _typed(field, value)
    _number(field, option)
    return name, option


def from_rule_set(rules: rules_pb2.RuleSet) -> Mapping[str, Option]:
    """Return the options that `rules` says, enum values by name."""
    said = {field.name: _option(field, value) for field, value in rules.ListFields()}
    return MappingProxyType(said)


def _typed(field: FieldDescriptor, value: str) -> Option:
    """Return a value as its field has it; text that fits none stays text."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _YES_OR_NO.get(value.lower(), value)
    if field.enum_type is None and value.isascii() and value.isdigit():
        return int(value)
    return value


def _number(field: FieldDescriptor, value: Option) -> int:
    if field.enum_type is None:
        if isinstance(value, str):
            kind = "yes or no" if field.type == FieldDescriptor.TYPE_BOOL else "a number"
            raise ValueError(f"option {field.name} is {kind}, not {value!r}")
        return value
    numbers = {word: number for number, word in _words(field.enum_type).items()}
    if str(value).upper() not in numbers:
        choices = ", ".join(word for word, number in numbers.items() if number)
        raise ValueError(f"option {field.name} is one of {choices}, not {value!r}")
    return numbers[str(value).upper()]


def _option(field: FieldDescriptor, value: int) -> Option:
    if field.enum_type is None:
        return value
    return _words(field.enum_type).get(value, f"UNKNOWN_{value}")


def _words(enum: EnumDescriptor) -> dict[int, str]:
    """Return the names of the enum's values, without the prefix that they share."""
    prefix = enum.values[0].name.removesuffix("UNSPECIFIED")
    return {value.number: value.name.removeprefix(prefix) for value in enum.values}
