# Two commands set up everything on a machine with Python 3.11+ and make: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
SPARK  := .venv-spark
JAVA   := $(shell command -v java 2>/dev/null)

.PHONY: demo test setup check kernels unit cluster oldest bench soak strain spark browser postgres docs snapshots clean
.DEFAULT_GOAL := test

# The virtual environment is made once and again only when the list of dependencies changes.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY)
	$(BIN)/kakurenbo demo --seed 1

# The checks and the kernels take one core each, so they go beside each other.
test: setup
	$(MAKE) --no-print-directory --jobs 2 --output-sync=target check kernels
	$(MAKE) --no-print-directory unit cluster

# All that is installed for the tests, which comes before any of them.
setup: $(READY) $(if $(JAVA),$(SPARK)/.ready)

check: $(READY)
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Kernels are compiled when they are first called: once here, and not by both workers at the same time.
kernels: $(READY)
	PYTHONDONTWRITEBYTECODE= POLARS_MAX_THREADS=1 $(BIN)/python tools/compile_kernels.py

# The tests start our program dozens of times, so what Python compiled is kept; a file's tests share a worker.
# Files go out in their own order: sorted by their number of tests, the few long ones would come last, alone.
unit: $(READY)
	PYTHONDONTWRITEBYTECODE= HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder --ignore tests/spark -m "not campaign"

# The lower bounds of pyproject.toml are promises; this keeps them on the parts that meet the libraries most.
OLDEST := .venv-oldest
OLDEST_TESTS := tests/data tests/files tests/contract tests/cli tests/tuning/test_study.py tests/kernels/test_nearest.py
$(OLDEST)/.ready: pyproject.toml
	$(PYTHON) -m venv $(OLDEST)
	$(PYTHON) tools/lower_bounds.py pyproject.toml > $(OLDEST)/constraints.txt
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(OLDEST)/constraints.txt --editable '.[dev]'
	@touch $@

# Old libraries warn of one another's newest versions, which is not ours to mend.
oldest: $(OLDEST)/.ready
	PYTHONDONTWRITEBYTECODE= HYPOTHESIS_PROFILE=ci $(OLDEST)/bin/python -m pytest -W default::DeprecationWarning --numprocesses 2 --dist loadfile $(OLDEST_TESTS)

# Peers pin old versions of what we stand on, so the benchmarks have an environment of their own.
BENCH := .venv-bench
$(BENCH)/.ready: pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	@touch $@

bench: $(BENCH)/.ready
	$(BENCH)/bin/python -m bench

# Spark is half a gigabyte and needs Java, so it has an environment of its own. Its tests share one cluster of two
# workers on loopback; without Java, those that need the cluster are skipped and say so.
$(SPARK)/.ready: pyproject.toml
	$(PYTHON) -m venv $(SPARK)
	$(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,spark]'
	@touch $@

ON_SPARK := PYTHONDONTWRITEBYTECODE= HYPOTHESIS_PROFILE=ci $(if $(JAVA),$(SPARK),$(VENV))/bin/python -m pytest -rs tests/spark
cluster: setup
	$(ON_SPARK) -m "not campaign"

spark: $(SPARK)/.ready
	@command -v java >/dev/null || { \
	  command -v apt-get >/dev/null || { echo "No apt-get here: put Java 17 or newer on PATH, then try again."; exit 1; }; \
	  $(SUDO) apt-get update && $(SUDO) apt-get install --yes --no-install-recommends openjdk-17-jre-headless; }
	PYTHONDONTWRITEBYTECODE= HYPOTHESIS_PROFILE=ci $(SPARK)/bin/python -m pytest tests/spark

# The campaign of kills, faults, mutations and leaks, for as long as it is given; PARTS names some of them. What
# tries the campaign itself on planted faults, and the program in places of all kinds, comes first.
SOAK_MINUTES ?= 10
soak: setup
	PYTHONDONTWRITEBYTECODE= HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --ignore tests/spark -m campaign
	$(ON_SPARK) -m campaign
	SOAK_MINUTES=$(SOAK_MINUTES) $(BIN)/python -m soak $(PARTS)

# The tests on a bad day: three times beside 15 busy processes, and once with the date a year ahead; each time with
# the files in another order.
strain: $(READY)
	$(BIN)/python -m soak.strain --runs 3 --busy 15
	$(BIN)/python -m soak.strain --days 365 --seed 4

# The tests of reports and of contests in a browser use Debian's chromium, and are skipped where there is none.
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
browser: $(READY)
	@command -v chromium >/dev/null || { \
	  command -v apt-get >/dev/null || { echo "No apt-get here: put a browser called chromium on PATH, then try again."; exit 1; }; \
	  $(SUDO) apt-get update && $(SUDO) apt-get install --yes --no-install-recommends chromium fonts-noto-cjk; }
	$(BIN)/python -m pytest tests/report tests/contest

# The tests of contests on PostgreSQL start Debian's server on loopback, and are skipped where there is none.
postgres: $(READY)
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	  command -v apt-get >/dev/null || { echo "No apt-get here: install PostgreSQL, then try again."; exit 1; }; \
	  $(SUDO) apt-get update && $(SUDO) apt-get install --yes --no-install-recommends postgresql; }
	$(BIN)/python -m pytest tests/contest

docs: $(READY)
	$(BIN)/python tools/make_docs.py

# What the program answers, frozen in tests/snapshots: this tells every figure that moved, and WRITE=1 freezes them
# anew. NAMES names some of them.
snapshots: $(READY)
	PYTHONPATH=tests $(BIN)/python -m snapshots $(NAMES) $(if $(WRITE),--write)

clean:
	rm -rf $(VENV) $(BENCH) $(OLDEST) $(SPARK) .mypy_cache .ruff_cache .hypothesis build dist
