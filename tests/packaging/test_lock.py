import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = re.compile(r"\w+://[^/\"]+")


def test_the_lock_names_the_public_index_and_nothing_else() -> None:
    addresses = set(ADDRESS.findall((ROOT / "uv.lock").read_text()))
    assert addresses == {"https://pypi.org", "https://files.pythonhosted.org"}


def test_only_our_own_packages_come_from_this_folder() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    local = {
        package["name"]: package["source"]
        for package in lock["package"]
        if "registry" not in package["source"]
    }
    assert local == {
        "durak-client": {"editable": "clients/python"},
        "durak-server": {"editable": "."},
    }


def test_the_protobuf_compiler_is_pinned_by_hash() -> None:
    pins = (ROOT / "scripts" / "protos-requirements.txt").read_text()
    packages = re.findall(r"^([\w-]+)==[\w.]+ \\\n    --hash=sha256:", pins, re.MULTILINE)
    assert len(packages) == len(re.findall(r"^[\w-]", pins, re.MULTILINE))
    assert {"grpcio-tools", "mypy-protobuf"} <= set(packages)
