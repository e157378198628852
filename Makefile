# Everything sets itself up from a bare clone: `make demo` or `make test` may be the first thing typed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What is installed: the package, what the fast tests import, or what every target needs.
READY := $(VENV)/.ready
READY_TEST := $(VENV)/.ready-test
READY_ALL := $(VENV)/.ready-all
AXE := $(VENV)/node_modules/axe-core/axe.min.js
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
WHICH := not slow

# The tests start hundreds of Python processes, which find their modules compiled by the first one.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all test-exhaustive fuzz mutants mutants-some check docs wheel try-wheel try-pipelines browser bench bench-readme bench-scale clean

demo: $(READY)
	$(BIN)/lookalike demo

test: $(READY_TEST)
	$(PYTEST) -m "$(WHICH)"

# As test, with the slow tests: kills, races, all kinds of tables, Spark, notebooks and a PostgreSQL
# server, which must be there (Debian's package postgresql has one). No test may be skipped for a package.
# Slow tests often wait for other processes; so there are more workers than cores, and tests/conftest.py puts
# others among them, and says which tests share a worker. Each worker collects all tests and compiles what it
# needs first, so that more of them than are ever busy only take time.
test-all: export LOOKALIKE_REQUIRE_POSTGRES = 1
test-all: export LOOKALIKE_REQUIRE_PACKAGES = 1
test-all: $(READY_ALL)
	$(MAKE) test WHICH="not (slow and exhaustive)" PYTEST="$(PYTEST) -n 4 --dist loadscope --no-loadscope-reorder"

# The tests that take a minute or more each, and kinds of tables that go most of the way with another.
test-exhaustive: export LOOKALIKE_REQUIRE_PACKAGES = 1
test-exhaustive: $(READY_ALL)
	$(PYTEST) -m exhaustive

# As test, but the random tests try many examples that they have not tried before.
fuzz: export LOOKALIKE_FUZZ = 1
fuzz: test

# Plants faults one at a time, and fails if the tests do not see one of them.
mutants: $(READY_ALL)
	$(BIN)/python -m tests.mutants

# Plants six quick ones, which the last commit chooses.
mutants-some: $(READY_ALL)
	$(BIN)/python -m tests.mutants --some

check: $(READY_ALL)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The documentation as a site in site/, which can be opened as files; a warning is an error.
docs: export NO_MKDOCS_2_WARNING = 1
docs: $(READY_ALL)
	$(BIN)/mkdocs build --strict --quiet

wheel: $(READY_ALL)
	rm -rf build dist
	$(BIN)/python -m build --wheel --outdir dist

# Installs the wheel and each of its extras in empty environments, and uses them.
try-wheel: wheel
	$(BIN)/python -m tests.packaging.try_wheel

# Runs the dbt package and the examples of Airflow and Dagster, each in an environment of its own.
try-pipelines: $(READY_ALL)
	$(BIN)/python -m tests.packaging.try_pipelines

# The accessibility rules that reports are tested with in a browser; Debian's packages chromium and npm.
browser: $(AXE)

$(AXE): | $(READY_ALL)
	npm install --prefix $(VENV) --no-save --no-audit --no-fund --silent axe-core@4

bench: $(READY_ALL)
	$(BIN)/python -m benchmarks

# The figures of the README, beside those recorded before; measures, records them and writes the README's table.
# Needs 25 GB of disk and half an hour on two calm cores.
bench-readme: $(READY_ALL)
	$(BIN)/python -m benchmarks.figures --write

# 1, 10 and 100 million rows; needs 25 GB of disk and most of an hour on two cores.
bench-scale: export LOOKALIKE_SCALE_ROWS = 1000000 10000000 100000000
bench-scale: $(READY_ALL)
	$(BIN)/python -m benchmarks scale

# Modules are compiled when they are imported first, which is sooner than all of them at once.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt --editable

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(READY): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) .
	touch $@

$(READY_TEST): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[test]'
	touch $(READY) $@

$(READY_ALL): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[development]'
	touch $(READY) $(READY_TEST) $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis demo site build dist
