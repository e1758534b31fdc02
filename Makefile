# Two commands for everybody: `make play` and `make test`. Everything is installed into .venv.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

CLIENT := src/ferrovia/server/client/index.html
NODE_MODULES := web/node_modules/.package-lock.json
WEB_SOURCES := $(shell find web/src web/scripts web/index.html web/package.json -type f 2>/dev/null)

.PHONY: play test check web compiled client-test unit uncompiled docs bench performance strength format clean

play: web
	$(BIN)/ferrovia play

# Compiling keeps one processor busy: what needs no compiled rules is checked beside it.
test:
	$(MAKE) --no-print-directory --jobs 2 compiled check web docs
	$(MAKE) --no-print-directory client-test unit uncompiled

web: $(CLIENT)

$(NODE_MODULES): web/package-lock.json
	@command -v npm >/dev/null || { echo "The browser game is built with Node 20 or later, which is" \
		"missing here. The text game needs none: .venv/bin/ferrovia play --text"; exit 1; }
	cd web && npm install --no-audit --no-fund --loglevel=error
	touch $@

$(CLIENT): $(INSTALLED) $(NODE_MODULES) $(WEB_SOURCES)
	cd web && npm run --silent build

# The kernel is compiled once, with bounds checks, before the tests share it.
compiled client-test unit: export NUMBA_BOUNDSCHECK = 1
compiled: $(INSTALLED)
	$(BIN)/ferrovia doctor --compile

# Types that match the server's, strict TypeScript, unit tests, whole games in a real browser.
client-test: $(CLIENT) compiled
	tools/system-packages.sh
	cd web && npm run --silent types:check && npm run --silent check && npm test --silent
	@if [ -x "$${CHROMIUM:-/usr/bin/chromium}" ]; then cd web && npm run --silent e2e; \
		else echo "no Chromium here: the tests in a browser are skipped"; fi

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Ferrovia needs Python 3.11 or later; set PYTHON=..."; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[docs,parquet,png,postgresql,report]' --group dev
	touch $@

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: compiled
	$(BIN)/pytest --numprocesses 2 --dist loadgroup

# The same functions as plain Python: what a debugger sees.
uncompiled: $(INSTALLED)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest --numprocesses 2 -m uncompiled

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

clean:
	rm -rf .venv web/node_modules src/ferrovia/server/client site dist
