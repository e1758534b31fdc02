# Two commands for everybody: `make play` and `make test`. What they need is installed into .venv:
# for play the package alone, for the rest everything.
# `make quick` is for every few minutes: it compiles nothing.

PYTHON ?= python3
BIN := .venv/bin
PLAYABLE := .venv/.playable
RUNTIME := .venv/.runtime
INSTALLED := .venv/.installed
EXTRAS := docs,gymnasium,parquet,pettingzoo,png,postgresql,report,terminal
comma := ,

CLIENT := src/ferrovia/server/client/index.html
NODE_MODULES := web/node_modules/.all-installed
# One more than there are processors: tests also wait, for processes and sockets.
PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(1 + min(7, os.cpu_count() or 1))')
WEB_SOURCES := $(shell find web/src web/public web/scripts web/index.html web/package.json \
	web/package-lock.json web/svelte.config.js web/vite.config.ts -type f 2>/dev/null)

# What Python has compiled is kept, also where the environment says otherwise: the tests start it
# a hundred times.
export PYTHONDONTWRITEBYTECODE :=

# Steps that run side by side keep their output together, where make can do that.
BESIDE := $(MAKE) --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) --jobs
THEN := $(MAKE) --no-print-directory

.PHONY: play test quick check web compiled client-check client-types client-test unit uncompiled rules coverage docs \
	packages node bench performance strength format lock dist newcomer clean

play: $(PLAYABLE)
	$(BIN)/ferrovia play

# The build of the package makes the game in the browser too, and brings Node where there is none.
$(PLAYABLE): pyproject.toml constraints.txt hatch_build.py $(WEB_SOURCES)
	@$(CHECK_PYTHON)
	@echo "Installing what the game needs, once; this takes a minute or two ..."
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
		--constraint constraints.txt --editable . || { echo "If it is Node that cannot be installed:" \
		"the text game needs none: FERROVIA_WITHOUT_CLIENT=1 make play"; exit 1; }
	@# Python compiles its modules when they are first imported: not when somebody waits for a page.
	NUMBA_DISABLE_JIT=1 $(BIN)/python -c 'import ferrovia.server.app, ferrovia.server.run'
	touch $@

# Compiling keeps one processor busy; what does not need it is installed, built and checked
# meanwhile, in this order, one more at a time than there are processors, since installing also
# waits. Tests of Python wait for processes and sockets, those in a browser for frames: together, at
# the end, they take less time.
test:
	$(BESIDE) 3 $(RUNTIME) $(NODE_MODULES) packages compiled $(INSTALLED) web client-check client-types uncompiled check \
		docs unit client-test
	$(THEN) coverage

quick:
	$(BESIDE) 2 check rules client-check client-types

web: $(CLIENT)

$(NODE_MODULES): web/package-lock.json $(if $(shell command -v npm),,node)
	@command -v npm >/dev/null || { echo "The browser game is built with Node 20 or later, which is" \
		"missing here. The text game needs none: .venv/bin/ferrovia play --text"; exit 1; }
	cd web && npm ci --loglevel=error
	touch $@

$(CLIENT): $(NODE_MODULES) $(WEB_SOURCES)
	cd web && npm run --silent build

# The kernel is compiled once, with bounds checks, before the tests share it. Nothing in the tests
# needs LLVM's dearest optimisations, a quarter of the compiler's time: the workflows have them.
compiled client-test unit: export NUMBA_BOUNDSCHECK = 1
compiled client-test unit: export NUMBA_OPT = 1
# NumPy's threads for matrices, of which we have none, begin by spinning in every process.
compiled client-test unit uncompiled: export OPENBLAS_NUM_THREADS = 1
compiled: $(RUNTIME)
	$(BIN)/ferrovia doctor --compile

# Strict TypeScript, unit tests.
client-check: $(NODE_MODULES)
	cd web && npm run --silent check && npm test --silent

# Types that match the server's.
client-types: $(INSTALLED) $(NODE_MODULES)
	cd web && npm run --silent types:check

# Whole games in a real browser.
client-test: $(CLIENT) $(INSTALLED) compiled packages
	@for browser in "$$CHROMIUM" $(CHROMIUMS); do \
		if [ -x "$$browser" ]; then cd web && CHROMIUM="$$browser" PYTHONPATH=.. exec ../$(BIN)/python -m tests.preloaded npm run --silent e2e; fi; done; \
		echo "no Chromium here: the tests in a browser are skipped"

# Chromium without windows draws the same pages for a quarter less of the processor.
CHROMIUMS := /usr/bin/chromium-headless-shell /usr/bin/chromium

# Without them their tests are skipped.
packages:
	tools/system-packages.sh postgresql $(if $(wildcard $(CHROMIUM)),,chromium-headless-shell)

node:
	tools/system-packages.sh nodejs npm

CHECK_PYTHON = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Ferrovia needs Python 3.11 or later; set PYTHON=..."; exit 1; }

# The client is built by `make web`, with what its tests need as well. uv installs three times as
# fast as pip does, which has to bring it; but it does not read pip's settings, so where a package
# index is set for pip alone, pip installs everything.
UV = $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt
$(RUNTIME): pyproject.toml constraints.txt
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv .venv
	$(PIP) uv
	export FERROVIA_WITHOUT_CLIENT=1; $(UV) --editable . || $(PIP) --editable .
	touch $@

# The rest, while the rules are compiled already: without Ferrovia itself, which is in use.
OPENSPIEL = --target .venv/openspiel --group openspiel
$(INSTALLED): $(RUNTIME)
	{ $(UV) --requirements pyproject.toml $(foreach extra,$(subst $(comma), ,$(EXTRAS)),--extra $(extra)) --group dev \
		&& $(UV) $(OPENSPIEL); } \
		|| { export FERROVIA_WITHOUT_CLIENT=1; $(PIP) --upgrade 'pip>=25.1' \
		&& $(PIP) --editable '.[$(EXTRAS)]' --group dev && $(PIP) $(OPENSPIEL); }
	touch $@

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# What waits in a browser goes on drawing, so a browser comes first.
GENTLY := $(if $(shell command -v nice),nice -n 5)

# Coverage is measured on the way: what is compiled can only be seen in the uncompiled run.
COVER := $(BIN)/python -m slipcover --source src/ferrovia --json
KERNEL = grep -rlE '^@(kernel|entry|callback)\b|njit' src/ferrovia --include='*.py'
unit: compiled $(INSTALLED)
	mkdir -p .coverage && rm -f .coverage/server-*.json
	$(GENTLY) $(COVER) --omit "$$($(KERNEL) | paste -sd, -)" --out .coverage/compiled.json \
		-m pytest --numprocesses $(PROCESSES) --dist loadgroup

# The same functions as plain Python: what a debugger sees.
uncompiled: export NUMBA_DISABLE_JIT = 1
uncompiled: $(INSTALLED)
	mkdir -p .coverage
	$(COVER) --out .coverage/uncompiled.json -m pytest -m uncompiled

rules: export NUMBA_DISABLE_JIT = 1
rules: $(INSTALLED)
	$(BIN)/pytest --quiet -m uncompiled tests/rules tests/game

coverage:
	$(BIN)/python tools/coverage_floors.py .coverage/*.json

docs: $(INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(INSTALLED)
	$(BIN)/ferrovia bench > docs/benchmarks.md.new
	$(BIN)/python -m tests.server.bench >> docs/benchmarks.md.new
	mv docs/benchmarks.md.new docs/benchmarks.md
	cat docs/benchmarks.md

# Ratios to the commit of the last benchmark page; on a quiet machine, by hand or at night.
performance: $(INSTALLED)
	$(BIN)/python tools/performance.py $(BASE)

# Hours of play, kept in .strength: it can be stopped and continued.
strength: $(INSTALLED)
	$(BIN)/python tools/strength.py .strength play
	$(BIN)/python tools/strength.py .strength page > docs/strength.md

format: $(INSTALLED)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The newest versions that pyproject.toml and package.json allow, for all systems and Pythons. The
# extras `gpu` and `learn` are not locked: the driver of a machine decides what fits.
lock: $(INSTALLED)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --group dev --group openspiel \
		$(foreach extra,$(subst $(comma), ,$(EXTRAS)),--extra $(extra)) --no-annotate --no-emit-index-url \
		--no-emit-find-links --custom-compile-command 'make lock' --output-file constraints.txt pyproject.toml
	cd web && npm update --package-lock-only --loglevel=error

# What is published: the wheel, with the client in it, and the sources, both checked. The page on a
# package index has links and pictures if FERROVIA_HOME is the address of the repository.
dist: web
	@[ -n "$$FERROVIA_HOME" ] || echo "FERROVIA_HOME is not set: the package will have no links"
	rm -rf dist
	$(BIN)/python -m pip install --quiet build check-wheel-contents twine
	$(BIN)/python -m build --outdir dist
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

# A newcomer with an empty home: every command of the first pages, from the wheel alone.
newcomer: $(INSTALLED) web
	$(BIN)/python tools/newcomer.py

clean:
	rm -rf .venv .coverage web/node_modules src/ferrovia/server/client site dist
