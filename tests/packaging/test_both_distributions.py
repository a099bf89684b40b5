import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict, cast

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "pyproject.toml"
CLIENT = ROOT / "clients" / "python" / "pyproject.toml"


class Project(TypedDict):
    """What both distributions say of themselves, as far as it is compared here."""

    name: str
    version: str
    dependencies: list[str]


def project(pyproject: Path) -> Project:
    table = tomllib.loads(pyproject.read_text())["project"]
    return cast(Project, table)  # TOML is untyped; a missing key fails the test


def test_server_and_client_have_one_version() -> None:
    assert project(SERVER)["version"] == project(CLIENT)["version"]


@pytest.mark.parametrize("pyproject", [SERVER, CLIENT], ids=["server", "client"])
def test_the_installed_version_is_the_one_in_the_source(pyproject: Path) -> None:
    declared = project(pyproject)
    assert version(declared["name"]) == declared["version"]


def test_server_and_client_agree_on_what_both_need() -> None:
    server = set(project(SERVER)["dependencies"])
    assert [need for need in project(CLIENT)["dependencies"] if need not in server] == []


def test_each_package_carries_the_licence_of_the_repository() -> None:
    licence = (ROOT / "LICENSE").read_text()
    assert (CLIENT.parent / "LICENSE").read_text() == licence
