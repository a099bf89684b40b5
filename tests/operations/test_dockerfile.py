"""What can be said of the image without building it; `make test-container` builds and runs it."""

import re
import tomllib

from tests.operations.tools import ROOT, run, tool

DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_hadolint_finds_nothing() -> None:
    assert run(tool("hadolint"), str(ROOT / "Dockerfile")) == ""
    assert "hadolint ignore" not in DOCKERFILE


def test_the_image_is_built_with_the_uv_and_the_version_of_this_repository() -> None:
    (pinned,) = re.findall(r"^UV_VERSION := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert f" uv=={pinned}\n" in DOCKERFILE
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"ARG VERSION={project['version']}\n" in DOCKERFILE


def test_the_bill_of_materials_tells_of_what_is_installed() -> None:
    exports = re.findall(r"/uv/bin/uv export (.*?)--output-file (\S+)", DOCKERFILE, re.DOTALL)
    installed, told = [set(options.replace("\\\n", "").split()) for options, _ in exports]
    assert [file for _, file in exports] == ["/locked.txt", "/opt/durak/sbom.cdx.json"]
    assert told - installed == {"--format", "cyclonedx1.5"}
    assert installed - told == {"--no-emit-project"}


def test_both_stages_stand_on_one_pinned_base() -> None:
    (base,) = re.findall(r"^ARG BASE=(.*)$", DOCKERFILE, re.MULTILINE)
    assert re.search(r":\d+\.\d+\.\d+-", base)
    assert re.findall(r"^FROM (.*)$", DOCKERFILE, re.MULTILINE) == ["${BASE} AS build", "${BASE}"]
