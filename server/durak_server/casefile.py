"""A file of worked cases: YAML in which no key may stand twice."""

from pathlib import Path
from typing import Any, Final

import yaml

_MERGE: Final = "tag:yaml.org,2002:merge"


def read_cases(file: Path) -> object:
    """Return what a YAML file of worked cases holds.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no text in UTF-8.
        yaml.YAMLError: it is no YAML, or a mapping in it has a key twice.
        RecursionError: it is nested too deeply.
    """
    loader = _OneOfEachKey(file.read_text(encoding="utf-8"))
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


class _OneOfEachKey(yaml.SafeLoader):
    """Refuses what YAML forbids and its readers let pass, the last one silently winning."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:  # Any: the stub is mistaken
        node = super().compose_mapping_node(anchor)
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            name = (key.tag, str(key.value))
            if name in seen and key.tag != _MERGE:
                problem = f"the key {key.value!r} stands twice in one mapping"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(name)
        return node
