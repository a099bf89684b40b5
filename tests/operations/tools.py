"""The operators' own tools, run on the files of this repository."""

import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
K8S: Final = ROOT / "k8s"
MONITORING: Final = K8S / "monitoring"
_TOOLS: Final = ROOT / ".tools" / "operations" / "bin"

Manifest = dict[str, Any]  # Any: a Kubernetes object, as its kind has it


def tool(name: str) -> str:
    """Return the path of one of the tools that scripts/test_prerequisites.py installs."""
    path = _TOOLS / name
    assert path.exists(), f"{name} is missing: run scripts/test_prerequisites.py"
    return str(path)


def run(*command: str, stdin: str = "") -> str:
    """Run a command that must succeed and return all that it prints."""
    done = subprocess.run(
        command, input=stdin, cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@cache
def rendered(overlay: str) -> str:
    """Return what `kubectl apply` would be given."""
    return run(tool("kubectl"), "kustomize", str(K8S / "overlays" / overlay))


def manifests(overlay: str) -> list[Manifest]:
    """Return the objects of an overlay."""
    return list(yaml.safe_load_all(rendered(overlay)))


def manifest(overlay: str, kind: str, name: str = "durak") -> Manifest:
    """Return the one object of an overlay that has a kind and a name, a hash at its end aside."""
    (found,) = [
        each
        for each in manifests(overlay)
        if each["kind"] == kind
        and each["metadata"]["name"].startswith(name)
        and (name != "durak" or each["metadata"]["name"] == name)
    ]
    return found
