# make play    set everything up and play in the terminal
# make test    set everything up and run the tests
# make check   format, lint, types, arrows between the rooms
# make soak    the long runs: many games, slow tests
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test check format soak bench peers pictures clean

play: .venv/play
	$(BIN)/skerry play

test: .venv/test
	$(BIN)/pytest

check: .venv/test
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/test
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

soak: .venv/test
	$(BIN)/pytest -m slow

bench: .venv/play
	$(BIN)/skerry bench

peers: .venv/peers
	$(BIN)/python bench/peers.py

pictures: .venv/play
	$(BIN)/python docs/pictures/make.py

clean:
	rm -rf .venv

# A stamp a set of packages: once it is there, nothing is fetched again until the list changes.
.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || (echo "Skerry needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1)
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || (echo "Python's venv is missing. On Debian: apt-get install python3-venv"; exit 1)
	$(PYTHON) -m venv .venv
	@touch $@

.venv/play: pyproject.toml | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/test: pyproject.toml | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,check]'
	@touch $@ .venv/play

.venv/peers: pyproject.toml | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[peers]'
	@touch $@ .venv/play
