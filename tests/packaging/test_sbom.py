"""The bill of materials names what a server is installed with, and nothing else."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OF_DEVELOPERS = {"pytest", "ruff", "hypothesis", "durak-client", "textual"}


def materials(folder: Path, *arguments: str) -> dict[str, Any]:  # Any: as CycloneDX has it
    """Return the document that `make sbom` writes."""
    file = folder / "sbom.json"
    subprocess.run(["make", "--silent", "sbom", f"SBOM={file}", *arguments], cwd=ROOT, check=True)
    found: dict[str, Any] = json.loads(file.read_text())  # Any: as above
    return found


def names(document: dict[str, Any]) -> set[str]:  # Any: as above
    return {component["name"] for component in document["components"]}


def test_every_library_stands_there_with_its_version_and_hashes(tmp_path: Path) -> None:
    document = materials(tmp_path)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    assert document["metadata"]["component"]["name"] == "durak-server"
    assert {"grpcio", "cryptography", "msgspec"} <= names(document)
    for component in document["components"]:
        assert component["purl"].startswith(f"pkg:pypi/{component['name']}@{component['version']}")
        hashes = [
            each["content"]
            for reference in component["externalReferences"]
            for each in reference["hashes"]
        ]
        assert hashes
        assert all(re.fullmatch(r"[0-9a-f]{64}", each) for each in hashes)


def test_what_only_developers_or_extras_need_is_left_out(tmp_path: Path) -> None:
    plain, traced = names(materials(tmp_path)), names(materials(tmp_path, "EXTRAS=tracing"))
    assert plain.isdisjoint(OF_DEVELOPERS)
    assert not any(name.startswith("opentelemetry") for name in plain)
    assert "opentelemetry-sdk" in traced
    assert plain < traced
