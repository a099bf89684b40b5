# The commands of this repository; `make` alone lists them.
# A bare machine needs make, git and Python 3.11 or newer with pip; the rest is installed below
# .tools/ and .venv/ and nowhere else.

PYTHON ?= python3
UV_VERSION := 0.13.9
PYTEST_ARGS ?=
DEALS ?= 10000
FIRST ?= 0
SIEGES ?= 200
MATCHES ?= 20
SECONDS ?= 600
CHAOS_ARGS ?=
SOAK_ARGS ?=
STREAMS_ARGS ?=
DEPLOYS_ARGS ?=
FLOOD_ARGS ?=
EXTRAS ?=
SBOM ?= dist/sbom.cdx.json

export UV := $(CURDIR)/.tools/uv/bin/uv
export UV_PROJECT_ENVIRONMENT := $(CURDIR)/.venv
export UV_PYTHON := $(shell $(PYTHON) -c 'import sys; print(sys.executable)' 2>/dev/null)
export UV_PYTHON_DOWNLOADS := never
unexport VIRTUAL_ENV

BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help run test test-again test-fair test-oldest wheel-compiled test-compiled \
    bench-rules bench-load bench-service bench-resume bench-flood fuzz fuzz-rules fuzz-calls \
    fuzz-bytes secrets chaos deploys soak streams try-alerts test-container check fmt \
    record-store docs protos protos-requirements operations-requirements lock sbom \
    check-install clean
.DELETE_ON_ERROR:

help: ## list the commands
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 28

run: .venv/.synced ## install, then serve on 127.0.0.1:50051 (metrics 9090, data in ./data)
	@exec $(BIN)/durak-server serve

test: .venv/.synced ## install, then run all tests (PYTEST_ARGS="-k name" for some)
	$(BIN)/python scripts/test_prerequisites.py
	$(BIN)/pytest -n 2 --dist worksteal --durations 15 $(PYTEST_ARGS)

test-again: .venv/.synced ## run up to three tests that failed in the last run again, alone
	$(BIN)/python scripts/tests_again.py

test-container: .venv/.synced ## build the image without an engine and run it; minutes, as root only
	$(BIN)/python scripts/test_prerequisites.py --container
	timeout 1800 $(BIN)/pytest --timeout 1200 tests/container/test_image.py \
	    tests/container/test_traced_image.py

wheel-compiled: .tools/compiler/$(UV_VERSION) ## build a wheel with the rules as machine code into dist/
	@rm -rf build dist/durak_server-*-cp*.whl
	DURAK_COMPILE=1 $(UV) build --wheel --no-build-isolation --python .tools/compiler/bin/python .
	@rm -rf build

test-compiled: .venv/.synced wheel-compiled ## install that wheel by itself and run all tests against it
	$(BIN)/python scripts/test_prerequisites.py
	@rm -rf .tools/compiled && $(UV) venv --quiet .tools/compiled
	UV_PROJECT_ENVIRONMENT=.tools/compiled $(UV) sync --quiet --frozen --no-install-workspace
	$(UV) pip install --quiet --no-deps --python .tools/compiled/bin/python \
	    dist/durak_server-*-cp*.whl ./clients/python
	.tools/compiled/bin/python -c 'from durak_server.rules.cards import COMPILED; assert COMPILED'
	.tools/compiled/bin/pytest -n 2 --dist worksteal $(PYTEST_ARGS)

test-oldest: .venv/.synced ## run all tests with the oldest version of everything that is allowed
	$(BIN)/python scripts/test_prerequisites.py
	@rm -rf .tools/oldest && $(UV) venv --quiet .tools/oldest
	$(UV) pip install --quiet --resolution lowest-direct --python .tools/oldest/bin/python \
	    --group dev --editable '.[tracing]' --editable ./clients/python
	.tools/oldest/bin/pytest -n 2 --dist worksteal $(PYTEST_ARGS)

bench-load: .venv/.synced ## measure what a long log costs
	$(BIN)/python bench/load.py

bench-service: .venv/.synced ## measure a move beside a bare grpc.aio server
	$(BIN)/python -m bench.service

bench-resume: .venv/.synced ## measure what players cost who come back after a start
	$(BIN)/python -m bench.resume

bench-flood: .venv/.synced ## measure what the others feel of a player's flood (FLOOD_ARGS=--reads)
	$(BIN)/python -m bench.flood $(FLOOD_ARGS)

bench-rules: .venv/.synced ## measure the rules engine, once more compiled after make test-compiled
	$(BIN)/python bench/rules.py
	@! test -x .tools/compiled/bin/python || .tools/compiled/bin/python bench/rules.py

fuzz: fuzz-rules fuzz-calls fuzz-bytes ## all three: rules, calls and bytes; half an hour

fuzz-rules: .venv/.synced ## play engine against referee (DEALS=100000, FIRST=0 to go on from a deal)
	nice $(BIN)/python -m tests.referee.fuzz --deals $(DEALS) --first $(FIRST)

fuzz-calls: .venv/.synced ## let many players call anything at random (SIEGES=200, 60 steps each)
	FUZZ_EXAMPLES=$(SIEGES) FUZZ_STEPS=60 nice $(BIN)/pytest --timeout 86400 \
	    --hypothesis-profile=explore tests/fuzz/test_stateful.py

fuzz-bytes: .venv/.synced ## send every method bytes that atheris finds (SECONDS=600; Linux only)
	$(UV) sync --quiet --frozen --inexact --group fuzz
	nice $(BIN)/python -m tests.fuzz.guided -max_total_time=$(SECONDS) .tools/fuzzed

secrets: .venv/.synced ## search what is sent and logged in 20 matches of each preset (MATCHES=20)
	SECRETS_MATCHES=$(MATCHES) nice $(BIN)/pytest -n 2 --timeout 86400 \
	    tests/api/test_wire_secrets.py tests/api/test_log_secrets.py

chaos: .venv/.synced ## kill servers under load, and let their disk fail at every call; an hour
	$(BIN)/python scripts/test_prerequisites.py
	nice $(BIN)/python -u -m tests.crash $(CHAOS_ARGS)

deploys: .venv/.synced ## replace a server ten times while 1,000 matches are played; ten minutes
	nice $(BIN)/python -u -m tests.deploys $(DEPLOYS_ARGS)

streams: .venv/.synced ## open and cancel 20,000 streams, then let one idle with pings; some minutes
	nice $(BIN)/python -u -m tests.streams $(STREAMS_ARGS)

try-alerts: .venv/.synced ## cause every trouble there is an alert for, minutes as seconds
	$(BIN)/python scripts/test_prerequisites.py
	nice $(BIN)/python -u -m tests.alerts

soak: .venv/.synced ## play 20,000 matches in one process; fails if it holds more and more
	nice $(BIN)/python -u -m tests.soak $(SOAK_ARGS)

test-fair: .venv/.synced ## count the cards of a million shuffled decks (some minutes)
	FAIR_DEALS=1000000 $(BIN)/pytest -s --timeout 1800 tests/fair/test_statistics.py

check: .venv/.synced ## every check but the tests: format, lint, types, imports, contract, lock
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code
	$(BIN)/python scripts/check_breaking.py
	$(BIN)/python scripts/gen_protos.py --check
	$(BIN)/python scripts/gen_docs.py --check
	$(BIN)/python scripts/gen_monitoring.py --check
	$(UV) lock --check

fmt: .venv/.synced ## format the code and the protos, and mend what can be mended
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	$(BIN)/buf format --write

record-store: .venv/.synced ## record a store of a new version of the schema, for the tests
	$(BIN)/python scripts/record_store.py

docs: .venv/.synced ## write the tables of settings and metrics, dashboards and alert rules
	$(BIN)/python scripts/gen_docs.py
	$(BIN)/python scripts/gen_monitoring.py

protos: .venv/.synced ## write the Python code of protos/ into both packages
	$(BIN)/python scripts/gen_protos.py

protos-requirements: .tools/uv/$(UV_VERSION) ## pin the protobuf compiler anew
	cd scripts && $(UV) pip compile protos-requirements.in --output-file protos-requirements.txt \
	    --universal --python-version 3.11 --generate-hashes --quiet \
	    --custom-compile-command 'make protos-requirements'

operations-requirements: .tools/uv/$(UV_VERSION) ## pin the tools that check k8s/ anew
	cd scripts && $(UV) pip compile operations-requirements.in \
	    --output-file operations-requirements.txt \
	    --universal --python-version 3.11 --generate-hashes --quiet \
	    --custom-compile-command 'make operations-requirements'

lock: .tools/uv/$(UV_VERSION) ## bring uv.lock up to date with the pyproject files
	$(UV) lock

sbom: .tools/uv/$(UV_VERSION) ## write what the server is made of, as CycloneDX (EXTRAS=tracing)
	@mkdir -p $(dir $(SBOM))
	$(UV) export --frozen --quiet --format cyclonedx1.5 --package durak-server --no-dev \
	    $(addprefix --extra ,$(EXTRAS)) --output-file $(SBOM)

check-install: .venv/.synced ## install the packages in every order, each in an environment of its own
	$(BIN)/python scripts/check_install_orders.py

clean: ## remove the environments and caches; data stays
	rm -rf .venv .tools .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

.venv/.synced: pyproject.toml clients/python/pyproject.toml uv.lock .tools/uv/$(UV_VERSION)
	@echo "installing into .venv"
	@$(UV) sync --frozen
	@touch $@

.tools/compiler/$(UV_VERSION): .tools/uv/$(UV_VERSION)
	@rm -rf .tools/compiler && $(UV) venv --quiet .tools/compiler
	@$(UV) pip install --quiet --python .tools/compiler/bin/python 'setuptools>=77' 'mypy[mypyc]>=2.4,<3'
	@touch $@

# --target works without the venv module, and where the system's Python is not to be touched.
.tools/uv/$(UV_VERSION):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	    { echo "Python 3.11 or newer is needed, and $(PYTHON) is not: make PYTHON=python3.12 ..."; exit 1; }
	@echo "installing uv $(UV_VERSION) into .tools/uv"
	@rm -rf .tools/uv
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check \
	    --root-user-action ignore --target .tools/uv uv==$(UV_VERSION)
	@touch $@
