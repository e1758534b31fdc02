# Two commands for everybody: `make play` and `make test`. Everything is installed into .venv.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: play test check unit uncompiled docs bench format clean

play: $(INSTALLED)
	$(BIN)/ferrovia play

test: check unit uncompiled docs

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Ferrovia needs Python 3.11 or later; set PYTHON=..."; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[png,docs,postgresql]' --group dev
	touch $@

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The kernel is compiled once, with bounds checks, before the tests share it.
unit: export NUMBA_BOUNDSCHECK = 1
unit: $(INSTALLED)
	tools/system-packages.sh
	$(BIN)/ferrovia doctor --compile
	$(BIN)/pytest --numprocesses 2 --dist loadgroup

# The same functions as plain Python: what a debugger sees.
uncompiled: $(INSTALLED)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest --numprocesses 2 -m uncompiled

docs: $(INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(INSTALLED)
	$(BIN)/ferrovia bench > docs/benchmarks.md.new
	mv docs/benchmarks.md.new docs/benchmarks.md
	cat docs/benchmarks.md

format: $(INSTALLED)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv site dist
