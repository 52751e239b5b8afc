# make run   installs what is needed into .venv and starts the dashboard
# make test  installs what is needed into .venv, checks style and runs the tests
# make bench compares speed with other libraries and writes benchmarks/results.json
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test lint browser format bench clean

run: $(VENV)/.runtime
	$(BIN)/streamlit run app.py

test: lint browser
	$(BIN)/python -m pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

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

$(VENV)/.runtime: $(BIN)/python requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
