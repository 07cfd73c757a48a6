# make play    set everything up and serve the table: play in the browser
# make test    set everything up and run the tests
# make check   format, lint, types, import layers; the browser's scripts too, where Node.js is installed
# make words   bring the catalogues of translations up to date
# make soak    the long runs: many games, slow tests
# make image-proof    carry out the steps of the Dockerfile without a container engine (as root, on Debian)
PYTHON ?= python3
BIN := .venv/bin
# Half of the tests' time is waiting, for browsers and servers: so there are more processes than two cores need.
WORKERS ?= 3

.PHONY: play test check format words soak image-proof bench bench-server peers pictures clean page-check page-test page-format

play: .venv/play
	$(BIN)/skerry serve --open

test: .venv/test .venv/browser page-test
	$(BIN)/python -m skerry.cli.warm_up
	$(BIN)/pytest --numprocesses=$(WORKERS) --dist=loadfile --no-loadscope-reorder

check: .venv/check page-check
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/check page-format
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

words: .venv/test
	$(BIN)/python -m skerry.cli.update_words

soak: .venv/soak .venv/browser
	$(BIN)/pytest -m slow

image-proof: .venv/test
	$(BIN)/python -m tests.packaging.image_proof

bench: .venv/play
	$(BIN)/skerry bench

peers: .venv/peers
	$(BIN)/python bench/random_play.py
	$(BIN)/python bench/environments.py

bench-server: .venv/test
	$(BIN)/python bench/server_load.py

pictures: .venv/test .venv/browser
	$(BIN)/python docs/pictures/make.py
	$(BIN)/python docs/pictures/browser.py
	$(BIN)/python docs/pictures/report.py
	$(BIN)/python docs/pictures/analysis.py
	$(BIN)/python docs/pictures/analysis_page.py

# The browser's scripts and styles: checked, tested and formatted with Node.js, which is for development only.
# Without it these targets say in one line what they leave out; in CI they fail.
NODE_IS_NEW := process.exit(Number(parseInt(process.versions.node) < 18))
ifeq ($(shell command -v npm >/dev/null && node --eval '$(NODE_IS_NEW)' && echo found),)
page-check page-test page-format: page-%:
	@echo "No Node.js 18 or newer with npm: left out the $* of the browser's scripts. On Debian: apt-get install nodejs npm"
	@test -z "$$CI"
else
page-check page-test page-format: page-%: node_modules/.installed
	@npm run --silent $*
endif

clean:
	rm -rf .venv node_modules

# A stamp a set of packages: once it is there, nothing is fetched again until the list changes.
.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || (echo "Skerry needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1)
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || (echo "Python's venv is missing. On Debian: apt-get install python3-venv"; exit 1)
	$(PYTHON) -m venv .venv
	@touch $@

.venv/play: pyproject.toml | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[server]'
	@touch $@

.venv/check: pyproject.toml | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[check]'
	@touch $@ .venv/play

.venv/test: pyproject.toml | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test-all]'
	@touch $@ .venv/play

# A browser for the tests: the machine's, else Playwright's own, else Debian's where we may install it.
.venv/browser: | .venv/test
	@command -v chromium chromium-browser google-chrome >/dev/null \
	  || $(BIN)/playwright install chromium >/dev/null 2>&1 \
	  || (test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq chromium >/dev/null) \
	  || (echo "The tests need Chromium: apt-get install chromium"; exit 1)
	@touch $@

.venv/soak: pyproject.toml | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test-all,train,sb3]'
	@touch $@ .venv/test .venv/play

.venv/peers: pyproject.toml | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[peers]'
	@touch $@ .venv/play

node_modules/.installed: package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@
