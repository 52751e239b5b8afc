# make run    installs what is needed into .venv and starts the dashboard
# make test   installs what is needed into .venv, checks style and types, builds the reference, runs the tests
# make docs   writes the reference of the Python interface to build/docs
# make bench  compares speed with other libraries and writes benchmarks/results.json
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test lint types docs browser format bench clean

run: $(VENV)/.runtime
	$(BIN)/streamlit run app.py

# Two processes share the files of the tests, then those of the browser tests, whose loop of events others would trip
# over.  A real browser on a busy machine may be late once: what failed there is tried again, alone, and counts then.
# What measures times comes last and alone.
test: lint types docs browser
	$(BIN)/python -m pytest -n 2 --dist loadfile --ignore=tests/browser
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not timed" tests/browser \
		|| $(BIN)/python -m pytest --last-failed --last-failed-no-failures none -m "not timed" tests/browser
	$(BIN)/python -m pytest -m timed tests/browser

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

docs: $(VENV)/.dev
	$(BIN)/python -W error docs/reference.py build/docs

# A fresh container gets Debian's own chromium; elsewhere the tests say what to install.
browser:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null; fi

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 …"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: $(BIN)/python requirements.txt requirements/core.txt requirements/dashboard.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.txt requirements/cluster.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	rm -rf $(VENV) build .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
