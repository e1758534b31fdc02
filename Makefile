# Two commands for everybody: `make play` and `make test`. What they need is installed into .venv:
# for play the package alone, for the rest everything.
# `make quick` is for every few minutes.

PYTHON ?= python3
BIN := .venv/bin
PLAYABLE := .venv/.playable
INSTALLED := .venv/.installed
EXTRAS := docs,gymnasium,mcp,parquet,pettingzoo,png,postgresql,print,push,report,terminal,wasm
comma := ,

CLIENT := src/ferrovia/server/client/index.html
PAGE := build/page/service-worker.js
NODE_MODULES := web/node_modules/.all-installed
# One more than there are processors: tests also wait, for processes and sockets.
PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(1 + min(7, os.cpu_count() or 1))')
WEB_SOURCES := $(shell find web/src web/public web/scripts web/index.html web/package.json \
	web/package-lock.json web/svelte.config.js web/vite.config.ts web/vite.page.config.ts -type f 2>/dev/null)

# What Python has compiled is kept, also where the environment says otherwise: the tests start it
# a hundred times.
export PYTHONDONTWRITEBYTECODE :=

# Steps that run side by side keep their output together, where make can do that.
BESIDE := $(MAKE) --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) --jobs
THEN := $(MAKE) --no-print-directory

.PHONY: play test quick check web page kernel kernel-archive kernel-again wasm client-check client-types client-test unit \
	uncompiled rules coverage docs \
	packages node bench mutants performance strength format lock dist newcomer clean

play: $(PLAYABLE)
	@$(BIN)/ferrovia play || test $$? -eq 130 # Ctrl-C ends it

# The build of the package makes the game in the browser too, and brings Node where there is none.
$(PLAYABLE): pyproject.toml constraints.txt hatch_build.py $(WEB_SOURCES)
	@$(CHECK_PYTHON)
	@echo "Installing what the game needs, once; this takes a minute or two ..."
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
		--constraint constraints.txt --editable . || { echo "If it is Node that cannot be installed:" \
		"the text game needs none: FERROVIA_WITHOUT_CLIENT=1 make play"; exit 1; }
	$(LIBRARIES)
	@# Python compiles its modules when they are first imported: not when somebody waits for a page.
	$(BIN)/python -c 'import ferrovia.server.app, ferrovia.server.run'
	touch $@

# One step more at a time than there are processors, since installing also waits. Tests of Python
# wait for processes and sockets, those in a browser for frames: together they take less time.
test:
	$(BESIDE) 3 $(INSTALLED) $(NODE_MODULES) packages kernel web client-check client-types uncompiled check \
		docs unit client-test
	$(THEN) coverage

quick:
	$(BESIDE) 2 check rules client-check client-types

web: $(CLIENT)

$(NODE_MODULES): web/package-lock.json $(if $(shell command -v npm),,node)
	@command -v npm >/dev/null || { echo "The browser game is built with Node 20.19, 22.12 or later, which is" \
		"missing here. The text game needs none: .venv/bin/ferrovia play --text"; exit 1; }
	cd web && npm ci --loglevel=error
	touch $@

$(CLIENT): $(NODE_MODULES) $(WEB_SOURCES)
	cd web && npm run --silent build

# The libraries of the kernel: out of the archive, or built for this machine where its sources have
# changed since. What builds them is installed where it is needed.
LIBRARIES = $(BIN)/python -m tools.kernel unpack || { $(UV) --group kernel && $(BIN)/python -m tools.kernel build; }
kernel: $(INSTALLED)
	$(LIBRARIES)

# All of them, for every system: committed when a piece of work on the kernel is whole.
kernel-archive: $(INSTALLED)
	$(UV) --group kernel
	$(BIN)/python -m tools.kernel archive

# By hand and in a workflow: whether the archive comes out again, byte for byte.
kernel-again: $(INSTALLED)
	$(UV) --group kernel
	$(BIN)/python -m tools.kernel compare

# By hand and in a workflow: the kernel as WebAssembly, by referee, frozen counts, records and views.
OVER_WASM := tests/referee tests/properties/test_perft.py tests/properties/test_hidden_information.py \
	tests/bots/test_bot_conformance.py tests/bots/test_net.py tests/bots/search/test_lookahead.py
wasm: export FERROVIA_KERNEL = wasm
wasm: kernel
	$(BIN)/python -m tools.kernel.systems.records --check
	$(BIN)/pytest --numprocesses $(PROCESSES) --dist loadgroup $(OVER_WASM)

# NumPy's threads for matrices, of which we have none, begin by spinning in every process.
client-test unit uncompiled: export OPENBLAS_NUM_THREADS = 1
# Silent overwrites become errors.
client-test unit: export FERROVIA_KERNEL = checked

# Format and lint, strict TypeScript, unit tests.
client-check: $(NODE_MODULES)
	cd web && npm run --silent lint && npm run --silent check && npm test --silent

# Types that match the server's.
client-types: $(INSTALLED) $(NODE_MODULES)
	cd web && npm run --silent types:check

# Whole games in a real browser.
client-test: $(CLIENT) $(PAGE) $(INSTALLED) kernel packages
	@for browser in "$$CHROMIUM" $(CHROMIUMS); do \
		if [ -x "$$browser" ]; then cd web && CHROMIUM="$$browser" exec npm run --silent e2e; fi; done; \
		echo "******** NO CHROMIUM HERE: NO TEST IN A BROWSER HAS RUN. Install one, or name it in CHROMIUM. ********" >&2; \
		test -z "$$CI"

# Chromium without windows draws the same pages for a quarter less of the processor.
CHROMIUMS := /usr/bin/chromium-headless-shell /usr/bin/chromium

# Without them their tests are skipped.
packages:
	tools/system-packages.sh postgresql $(if $(wildcard $(CHROMIUM)),,chromium-headless-shell)

# The game as plain files for any host, in build/page: it needs no server.
page: $(PAGE)

$(PAGE): $(NODE_MODULES) $(INSTALLED) $(WEB_SOURCES) $(shell find src/ferrovia tools/page -name '*.py' -o -path '*/data/*' -type f) \
		$(wildcard tools/page/*.*js)
	$(LIBRARIES)
	cd web && npm run --silent build:page
	$(BIN)/python -m tools.page build/page

node:
	tools/system-packages.sh nodejs npm

CHECK_PYTHON = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Ferrovia needs Python 3.11 or later; set PYTHON=..."; exit 1; }

# The client is built by `make web`, with what its tests need as well. uv installs three times as
# fast as pip does, which has to bring it; but it does not read pip's settings, so where a package
# index is set for pip alone, pip installs everything.
UV = $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt
OPENSPIEL = --target .venv/openspiel --group openspiel
$(INSTALLED): pyproject.toml constraints.txt
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv .venv
	$(PIP) uv
	export FERROVIA_WITHOUT_CLIENT=1; { $(UV) --editable '.[$(EXTRAS)]' --group dev && $(UV) $(OPENSPIEL); } \
		|| { $(PIP) --upgrade 'pip>=25.1' && $(PIP) --editable '.[$(EXTRAS)]' --group dev && $(PIP) $(OPENSPIEL); }
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
KERNEL = grep -rlE '^@(kernel|entry|intrinsic)\b' src/ferrovia --include='*.py'
unit: kernel $(CLIENT) $(INSTALLED)
	mkdir -p .coverage && rm -f .coverage/server-*.json
	$(GENTLY) $(COVER) --omit "$$($(KERNEL) | paste -sd, -)" --out .coverage/compiled.json \
		-m pytest --numprocesses $(PROCESSES) --dist loadgroup || $(AGAIN)

# In CI what failed is run once more by itself, and told: a landing does not hang on one unlucky
# moment of a busy machine. A test that needs this is to be mended. Status 1: tests have failed, and
# nothing else has.
AGAIN = { test $$? -eq 1 && test -n "$$CI" && $(BIN)/pytest --last-failed --last-failed-no-failures none; }

# The same functions as plain Python: what a debugger sees.
uncompiled: export FERROVIA_KERNEL = python
uncompiled: $(INSTALLED)
	mkdir -p .coverage
	$(COVER) --out .coverage/uncompiled.json -m pytest -m "uncompiled or inside"

rules: export FERROVIA_KERNEL = python
rules: $(INSTALLED)
	$(BIN)/pytest --quiet -m "uncompiled or inside" tests/rules tests/game

coverage:
	$(BIN)/python tools/coverage_floors.py .coverage/*.json

docs: $(INSTALLED)
	$(BIN)/zensical build --clean --strict

bench: kernel $(PAGE)
	$(BIN)/python -m research.benchmarks > docs/benchmarks.md.new
	$(BIN)/python -m tests.server.bench >> docs/benchmarks.md.new
	$(BIN)/python -m tests.server.bench --load >> docs/benchmarks.md.new
	cd web && node scripts/page_bench.mjs >> ../docs/benchmarks.md.new
	sed -n '/^## On a GPU/,$$p' docs/benchmarks.md >> docs/benchmarks.md.new # kept: `--gpu` prints it
	mv docs/benchmarks.md.new docs/benchmarks.md
	cat docs/benchmarks.md

# Ratios to the commit of the last benchmark page; on a quiet machine, by hand or at night.
performance: kernel
	$(BIN)/python tools/performance.py $(BASE)

# By hand: small faults in every package, and those that no test notices.
mutants: $(INSTALLED) kernel
	$(BIN)/python tools/mutants.py

# Hours of play, kept in .strength: it can be stopped and continued.
strength: kernel
	$(BIN)/python -m research.strength .strength play
	$(BIN)/python -m research.strength .strength page > docs/strength.md

format: $(INSTALLED) $(NODE_MODULES)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cd web && npm run --silent format

# The newest versions that pyproject.toml and package.json allow, for all systems and Pythons. The
# extras `gpu` and `learn` are not locked: the driver of a machine decides what fits.
lock: $(INSTALLED)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --group dev --group dist --group kernel --group openspiel \
		$(foreach extra,$(subst $(comma), ,$(EXTRAS)),--extra $(extra)) --no-annotate --no-emit-index-url \
		--no-emit-find-links --custom-compile-command 'make lock' --output-file constraints.txt pyproject.toml
	cd web && npm update --package-lock-only --loglevel=error
	@echo "if what the client bundles has changed: make web, then python tools/licences.py"

# What is published: the wheel, with the client in it, and the sources, both checked; the same bytes
# everywhere. The page on a package index has links and pictures if FERROVIA_HOME is the address of
# the repository.
dist: $(INSTALLED) web
	@[ -n "$$FERROVIA_HOME" ] || echo "FERROVIA_HOME is not set: the package will have no links"
	rm -rf dist
	$(UV) --group dist
	FERROVIA_WITHOUT_CLIENT=1 $(BIN)/hatchling build --directory dist
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

# A newcomer with an empty home: every command of the first pages, from the wheel alone.
newcomer: $(INSTALLED) web
	$(BIN)/python tools/newcomer.py

clean:
	rm -rf .venv .coverage web/node_modules src/ferrovia/server/client site dist
