"""Builds the image of the Dockerfile, and runs it as its configuration says.

There is no container engine in this: buildah builds in a chroot, on a Debian made by debootstrap.
The package index is not reachable from inside, so the locked wheels are laid into the context.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
WORKSHOP: Final = ROOT / ".tools" / "container"
DEBIAN: Final = "bookworm"
PYTHON_OF_DEBIAN: Final = "3.11"
BASE: Final = "localhost/durak-base"
IMAGE: Final = "localhost/durak-server:test"


@dataclass(frozen=True)
class Image:
    """A built image: its files, mounted at `files`, and its configuration."""

    files: Path
    config: Mapping[str, Any]  # Any: as the OCI and Docker specifications have it

    @property
    def megabytes(self) -> float:
        """The size of what the image adds to its base, in MiB."""
        files = [path for path in (self.files / "opt" / "durak").rglob("*") if path.is_file()]
        return sum(path.stat().st_size for path in files if not path.is_symlink()) / 2**20

    def start(self, data: Path, *command: str, **settings: str) -> subprocess.Popen[str]:
        """Run a command, or by default the image's own, with a root that cannot be written.

        Args:
            data: the volume.
            command: what to run; nothing: what the image runs.
            settings: environment variables beside the image's own.
        """
        user, _, group = self.config["User"].partition(":")
        os.chown(data, int(user), int(group))
        words = command or (*self.config["Entrypoint"], *self.config["Cmd"])
        own = dict(entry.split("=", 1) for entry in self.config["Env"])
        return subprocess.Popen(
            ["unshare", "--mount", "sh", "-euc", _ENTER, "sh", self.files, data, *words],
            env={**own, **settings, "RUN_AS": f"{user}:{group}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


# The mounts live as long as the process, which `exec` makes the command's own.
_ENTER: Final = """
    files=$1 data=$2; shift 2
    PATH=$PATH:/usr/sbin:/usr/bin:/sbin:/bin
    mount --bind "$files" "$files"
    mount --rbind /dev "$files/dev"
    mount --rbind /proc "$files/proc"
    mount -t tmpfs -o mode=1777 tmpfs "$files/tmp"
    mount --bind "$data" "$files/data"
    mount -o remount,bind,ro "$files"
    exec chroot --userspec="$RUN_AS" "$files" "$@"
"""


@contextmanager
def built(extras: str = "") -> Iterator[Image]:
    """Build the image, mounted until the end; the base is made once, kept in .tools/container.

    With `extras` it is built with that extra of the server's distribution.
    """
    if not _buildah("images", "--quiet", "--noheading", "--filter", f"reference={BASE}"):
        _make_base()
    context = _context(extras)
    image = f"{IMAGE}-{extras}" if extras else IMAGE
    build_from = ["--build-arg", f"BASE={BASE}", "--build-arg", f"EXTRAS={extras}"]
    offline = ["--build-arg", "PIP_NO_INDEX=1", "--build-arg", "PIP_FIND_LINKS=/source/wheels"]
    # Docker's format, because OCI's has no health check.
    _buildah("bud", "--format", "docker", *build_from, *offline, "--tag", image, str(context))
    container = _buildah("from", image)
    try:
        files = Path(_buildah("mount", container))
        config = json.loads(_buildah("inspect", "--type", "image", image))["Docker"]["config"]
        yield Image(files, config)
    finally:
        _buildah("rm", container)
        _buildah("rmi", image)


def _make_base() -> None:
    tree = WORKSHOP / "base"
    shutil.rmtree(tree, ignore_errors=True)
    tree.parent.mkdir(parents=True, exist_ok=True)
    packages = "--include=python3,python3-pip"
    _run("debootstrap", "--variant=minbase", packages, DEBIAN, str(tree))
    container = _buildah("from", "scratch")
    _buildah("copy", "--quiet", container, str(tree), "/")
    _buildah("commit", "--quiet", container, BASE)
    _buildah("rm", container)
    shutil.rmtree(tree)


def _context(extras: str) -> Path:
    """Lay out a clean checkout, as .dockerignore would let it through, and the wheels."""
    context = WORKSHOP / "context"
    for part in ("server", "clients", "wheels"):
        shutil.rmtree(context / part, ignore_errors=True)
    for name in _run("git", "-C", str(ROOT), "ls-files", "--cached").splitlines():
        if (ROOT / name).is_file():
            target = context / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
    _download_wheels(context / "wheels", extras)
    return context


def _download_wheels(folder: Path, extras: str) -> None:
    uv = os.environ.get("UV", "uv")
    export = ["export", "--frozen", "--quiet", "--package", "durak-server", "--no-dev"]
    export += ["--extra", extras] if extras else []
    locked = WORKSHOP / "locked.txt"
    _run(uv, "--project", str(ROOT), *export, "--no-emit-project", "--output-file", str(locked))
    # The Python of .venv has no pip; the one it was made from has.
    python = str(Path(sys.base_prefix, "bin", "python3"))
    download = [python, "-m", "pip", "download", "--quiet", "--only-binary", ":all:"]
    download += ["--python-version", PYTHON_OF_DEBIAN, "--dest", str(folder)]
    _run(*download, "--require-hashes", "--requirement", str(locked))
    version = _run(uv, "--version").split()[1]
    _run(*download, "--no-deps", f"uv=={version}", "setuptools>=77")


def _buildah(*arguments: str) -> str:
    storage = ["--root", str(WORKSHOP / "storage"), "--runroot", str(WORKSHOP / "run")]
    # Of all drivers this one asks nothing of the file system below.
    driver = ["--storage-driver", "vfs"]
    environment = {**os.environ, "BUILDAH_ISOLATION": "chroot"}
    return _run("buildah", *storage, *driver, *arguments, env=environment)


def _run(*command: str, env: Mapping[str, str] | None = None) -> str:
    """Run a command and return what it prints, without the last line's end."""
    done = subprocess.run(command, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, (
        f"{' '.join(command)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    )
    return done.stdout.strip()
