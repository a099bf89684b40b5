"""Write the tables of settings and of metrics into the operators' pages, or check them.

Each table stands between `<!-- generated: NAME -->` and `<!-- end -->`; the rest of the page is
written by hand.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args

import annotated_types
import typer
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.registry import Collector
from pydantic.fields import FieldInfo

from durak_server.cli import app
from durak_server.config import PREFIX, Settings
from durak_server.observe.metrics import DataFolder, Metrics

ROOT = Path(__file__).resolve().parent.parent

UNITS = {
    "_seconds": "seconds",
    "_bytes": "bytes",
    "_per_second": "per second",
    "_events": "events",
    "_size": "commands",
}
"""What the end of a setting's name says about its unit."""

LABELS = {
    "act": "what the operator did: `BAN`, `DRAIN` ...",
    "command": "what was asked of a match: `MakeMove`, `JoinMatch` ...",
    "grpc_code": "the status code: `OK`, `NOT_FOUND` ...",
    "grpc_method": "the method's name, `unknown` for all that this server does not have",
    "grpc_service": "the service's full name, or `unknown`",
    "grpc_type": "`unary`, `server_stream`, `client_stream` or `bidi_stream`",
    "kind": "the kind of move: `ATTACK`, `BEAT` ...; else one of those that the metric names",
    "level": "the house bot's level",
    "limit": "the setting of the limit, see [limits.md](limits.md)",
    "preset": "the rules the match was made from; `UNSPECIFIED` for none",
    "reason": "a reason of the closed list that belongs to the metric",
    "status": "`OPEN`, `PLAYING`, `FINISHED` or `ABANDONED`",
    "version": "of the server",
}
"""What each label tells. None has values that a caller could invent."""

TABLE = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def main() -> int:
    """Write the tables, or with `--check` say which pages are out of date and return 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check: bool = parser.parse_args().check
    stale = [page for page in PAGES if page.read_text("utf-8") != with_tables(page)]
    for page in stale:
        if check:
            print(f"{page.relative_to(ROOT)} is out of date: run `make docs`")
        else:
            page.write_text(with_tables(page), encoding="utf-8")
    return 1 if check and stale else 0


def with_tables(page: Path) -> str:
    """Return a page's text, its tables made anew."""

    def made_anew(found: re.Match[str]) -> str:
        return f"{found[1]}\n{TABLES[found[2]]()}\n{found[3]}"

    return TABLE.sub(made_anew, page.read_text("utf-8"))


def table(headline: str, rows: Iterator[tuple[str, ...]]) -> str:
    """Return a Markdown table; `headline` names the columns, parted by bars."""
    columns = [column.strip() for column in headline.split("|")]
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def settings_table() -> str:
    """Return the table of all settings."""
    rows = (setting_row(name, field) for name, field in Settings.model_fields.items())
    return table("variable | flag of `serve` | type | default | unit | meaning", rows)


def setting_row(name: str, field: FieldInfo) -> tuple[str, ...]:
    """Return a setting's line."""
    unit = next((unit for end, unit in UNITS.items() if name.endswith(end)), "")
    flag = f"`{flags()[name]}`" if name in flags() else ""
    values = ", ".join(filter(None, (type_name(field.annotation), bounds(field))))
    variable = f"`{PREFIX}{name.upper()}`"
    return variable, flag, values, default(field), unit, field.description or ""


def flags() -> Mapping[str, str]:
    """Return the flag of each setting that has one."""
    serve = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]  # a group
    return {parameter.name: parameter.opts[0] for parameter in serve.params}


def type_name(annotation: Any) -> str:  # Any: a type, or a union of one and None
    """Return a type in an operator's words."""
    (kind,) = [part for part in get_args(annotation) or (annotation,) if part is not type(None)]
    if issubclass(kind, StrEnum):
        return " or ".join(f"`{value}`" for value in kind)
    return TYPE_NAMES[kind.__name__]


TYPE_NAMES = {
    "Path": "path",
    "SecretStr": "secret text",
    "bool": "`true` or `false`",
    "float": "number",
    "int": "whole number",
    "str": "text",
}


def bounds(field: FieldInfo) -> str:
    """Return the least and the most of a number, where there are such."""
    words = []
    for bound in field.metadata:
        match bound:
            case annotated_types.Ge(least):
                words.append(f"at least {least}")
            case annotated_types.Gt(below):
                words.append(f"more than {below}")
            case annotated_types.Le(most):
                words.append(f"at most {most}")
    return ", ".join(words)


def default(field: FieldInfo) -> str:
    """Return a default as it would be written into the environment."""
    value = field.default
    if value is None:
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def metrics_tables() -> str:
    """Return the tables of all metrics, each under its group's headline."""
    metrics = Metrics("0")
    groups = [
        (headline(group), [own_row(metric) for metric in vars(group).values()])
        for group in own_groups(metrics)
    ]
    groups.append((headline(DataFolder(ROOT)), list(rows_of(DataFolder(ROOT)))))
    columns = "metric | type | unit | labels | meaning"
    return "\n".join(f"### {title}\n\n{table(columns, iter(rows))}" for title, rows in groups)


def headline(group: object) -> str:
    """Return what the first line of a group's docstring says."""
    return (type(group).__doc__ or "").splitlines()[0].rstrip(".").partition(";")[0]


def own_row(metric: MetricWrapperBase) -> tuple[str, ...]:
    """Return the line of a metric that may not have been counted yet."""
    ((name, kind, meaning),) = [(m.name, m.type, m.documentation) for m in metric.describe()]
    # The library tells the names of the labels nowhere else before there is a first value.
    labels = ", ".join(f"`{label}`" for label in metric._labelnames)
    exposed = f"{name}_total" if kind == "counter" else name
    return f"`{exposed}`", kind, unit_of(name), labels, meaning


def rows_of(collector: Collector) -> Iterator[tuple[str, ...]]:
    """Yield the lines of metrics that are looked up at each scrape; they have no labels."""
    for family in collector.collect():
        yield f"`{family.name}`", family.type, unit_of(family.name), "", family.documentation


def unit_of(name: str) -> str:
    """Return what the end of a metric's name says; a metric without one counts things."""
    return next((end for end in ("seconds", "bytes") if name.endswith(f"_{end}")), "1")


def labels_table() -> str:
    """Return the table of the labels that our own metrics have."""
    metrics = [metric for group in own_groups(Metrics("0")) for metric in vars(group).values()]
    used = {label for metric in metrics for label in metric._labelnames}
    return table("label | tells", ((f"`{label}`", LABELS[label]) for label in sorted(used)))


def own_groups(metrics: Metrics) -> Iterator[object]:
    """Yield those parts of the metrics that are nothing but metrics."""
    return (group for name, group in vars(metrics).items() if name != "registry")


TABLES: Mapping[str, Callable[[], str]] = {
    "settings": settings_table,
    "metrics": metrics_tables,
    "labels": labels_table,
}
PAGES = (ROOT / "docs" / "operations.md", ROOT / "docs" / "metrics.md")


if __name__ == "__main__":
    sys.exit(main())
