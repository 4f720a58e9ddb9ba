# `make demo` and `make test` set up everything they need in .venv; only Python 3.11+ and make are
# required. PYTHON chooses the interpreter of a new .venv.
PYTHON ?= python3
BIN := .venv/bin
# Small graphs are slower on more threads, and test workers share the cores.
export OMP_NUM_THREADS ?= 1

.PHONY: demo test lint benchmark benchmark-gpu benchmark-clrs results tables pretrained constraints clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^\([a-z-]*\):.*## /make \1	/p' Makefile

demo: .venv/core ## set up, train an executor for a minute or two, and compare it with the paper's
	$(BIN)/neuralexec demo

test: .venv/all ## set up, and run every test
	$(BIN)/python -m pytest --numprocesses $(shell nproc 2>/dev/null || echo 2)

lint: .venv/all ## formatting, style, types, and which room may import which
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

benchmark: .venv/all ## speed and memory against other libraries, as ratios (some minutes)
	unset OMP_NUM_THREADS; $(BIN)/python -m benchmarks.run data cpu

benchmark-gpu: .venv/all ## the same of networks on a GPU
	$(BIN)/python -m benchmarks.run gpu

benchmark-clrs: .venv/all .venv-clrs/all ## training against CLRS-30, in an environment of its own
	unset OMP_NUM_THREADS; $(BIN)/python -m benchmarks.run clrs

results: .venv/all ## make every table and figure of the paper (hours; goes on where it was)
	$(BIN)/neuralexec reproduce all --workers $(shell nproc 2>/dev/null || echo 2) --out results

tables: .venv/core ## regenerate the tables of the documentation
	$(BIN)/python docs/make_tables.py

pretrained: .venv/core ## train the executors that ship with the package (some minutes)
	$(BIN)/python tools/make_pretrained.py

# An install is repeated when what it installs from has changed.
.venv/core: pyproject.toml constraints.txt
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	touch $@

.venv/all: .venv/core
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev,distributed,plots,pyg,track]'
	touch $@

.venv-clrs/all: benchmarks/clrs/requirements.txt
	test -d .venv-clrs || $(PYTHON) -m venv .venv-clrs
	.venv-clrs/bin/pip install --quiet --requirement benchmarks/clrs/requirements.txt
	touch $@

# Pin the newest versions that work together; torch is pinned by hand, above all others.
constraints: ## refresh constraints.txt
	rm -rf .venv-constraints
	$(PYTHON) -m venv .venv-constraints
	grep '^torch==' constraints.txt > .venv-constraints/torch.txt
	.venv-constraints/bin/pip install --quiet --constraint .venv-constraints/torch.txt '.[dev,distributed,plots,pyg,track]'
	{ sed '/^[^#]/d' constraints.txt; .venv-constraints/bin/pip freeze --exclude neuralexec \
	  | sed 's/+.*//'; } > .venv-constraints/new.txt
	mv .venv-constraints/new.txt constraints.txt
	rm -rf .venv-constraints

clean:
	rm -rf .venv .venv-clrs .venv-constraints
