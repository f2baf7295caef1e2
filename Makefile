# `make serve` and `make test` are all one needs to begin. Each target installs what it lacks, once.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8000

AGAINST ?= HEAD
REPORT  ?=
RECIPES ?=
PACKAGES ?=
UNFIT   ?=
TORCH   ?= newest
PYTHONS ?=
FORCE   ?=
APPLY   ?=
UPGRADE ?=
PACKAGE ?= torch
VERSION ?= $(TORCH)
OPTIONS ?=
CLEAN   ?=
# Where torch comes from; empty: where pip finds it. PyTorch's own index of CPU builds:
#   make serve TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
# What installs. uv takes the same arguments, and a tenth of the time, but knows nothing of pip's settings:
#   make serve INSTALL="uv pip install --quiet --python .venv/bin/python"
INSTALL ?= $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Without npm, `lint` leaves JavaScript out; without actionlint and Go, what actionlint tells of workflows.
NPM := $(shell command -v npm 2>/dev/null)
GO  := $(if $(shell command -v go 2>/dev/null),go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12)
ACTIONLINT := $(or $(shell command -v actionlint 2>/dev/null),$(GO))
JS  := tests/javascript

.DEFAULT_GOAL := help
.PHONY: help serve build offline book check ready hooks weblinks cuda propose verify-cuda unsigned-cuda test prove exits drift portable upgrade lock versions explain issue lint format record record-with bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

serve: $(VENV)/.installed ## build, serve on localhost:8000 and rebuild what is saved
	@$(BIN)/python -m verbatim serve --port $(PORT)

build: $(VENV)/.installed ## build the site into site/, strictly; every page anew: CLEAN=1
	$(BIN)/python -m verbatim build --strict $(if $(CLEAN),--clean)

offline: $(VENV)/.installed ## build the site, and for each language a zip of it that is read without a network
	$(BIN)/python -m verbatim build --strict --offline $(if $(CLEAN),--clean)

book: $(VENV)/.tests ## make the book one EPUB and one PDF a language, and the path a PDF, below build/book; OPTIONS=--volumes: chapters
	$(BIN)/python -m verbatim book $(OPTIONS)

check: $(VENV)/.installed ## list every problem of scripts, pages and outputs; of some, or mend what can be: OPTIONS="--fix autograd/detach"
	$(BIN)/python -m verbatim check $(OPTIONS)

ready: $(VENV)/.installed ## say whether a change is ready for a pull request, and show what its reviewer will see
	@$(BIN)/python -m scripts.ready

hooks: $(VENV)/.tests ## have git run `check` before each commit, and look at its message
	$(BIN)/pre-commit install --config .github/pre-commit.yaml --hook-type pre-commit --hook-type commit-msg

weblinks: $(VENV)/.installed ## ask each web address that pages link to whether it still answers
	@$(BIN)/python -m scripts.weblinks

record: $(VENV)/.installed ## approve the outputs as they are now; of another torch or Python: OPTIONS=--new-environment
	$(BIN)/python -m verbatim record $(OPTIONS)

cuda: ## record outputs/cuda on this machine's GPU, with the Python that has torch: PYTHON=…
	PYTHON=$(PYTHON) scripts/record-cuda.sh $(RECIPES)

record-with: $(VENV)/.installed ## record RECIPES=… in an environment of their own that has PACKAGES=…, too; and what does not fit: UNFIT=…
	$(BIN)/python scripts/record_with.py "$(PACKAGES)" $(RECIPES) $(if $(UNFIT),--unfit "$(UNFIT)")

propose: ## open or update the pull request with new records below FOLDER (default outputs/cuda)
	@scripts/propose.sh $(or $(FOLDER),outputs/cuda)

verify-cuda: ## ask GitHub whether its CUDA workflow signed each record below outputs/cuda that unsigned.sha256 does not name; needs gh
	@scripts/verify-cuda.sh

unsigned-cuda: ## name new records below outputs/cuda in unsigned.sha256: a GPU of your own printed them, and you read their diffs
	@scripts/verify-cuda.sh --unsigned

test: $(VENV)/.tests ## run the tests, the browser's too
	$(BIN)/python -m pytest $(OPTIONS)

prove: $(VENV)/.tests ## run the tests as a busy machine would, in another order, with one worker and with eight: OPTIONS="quiet=3 busy=3"
	@$(BIN)/python scripts/prove_tests.py $(OPTIONS)

exits: build/exits/.installed ## build with ProperDocs and with Zensical, too, and check both sites
	PYTHONPATH=$(CURDIR)/build/exits/packages $(BIN)/python -m scripts.exits

drift: $(VENV)/.installed ## show what the outputs change against AGAINST (default HEAD), as Markdown
	@$(BIN)/python -m verbatim drift --against $(AGAINST) $(if $(REPORT),--report $(REPORT))

portable: $(VENV)/.tests ## run everything, the tests too, as other machines would, and print a table: OPTIONS="--only bare", "--cuda --python python3.13" …
	@$(BIN)/python scripts/portable.py $(OPTIONS)

upgrade: $(VENV)/.installed $(if $(APPLY),$(VENV)/.tests) ## run everything with TORCH=… (or PACKAGE=… VERSION=…) and write what that changes; on a branch: APPLY=1
	@$(BIN)/python scripts/upgrade.py $(PACKAGE) $(VERSION) $(if $(APPLY),--apply)

lock: $(VENV)/.tests ## write requirements/*.lock from requirements.txt and requirements/dev.txt; the newest of what these leave open: UPGRADE=1
	UPGRADE=$(UPGRADE) $(BIN)/python scripts/lock.py

versions: $(VENV)/.installed ## record what other releases of torch print: TORCH="2.6.0 2.8.0" RECIPES=… FORCE=1, else what is stale; or other Pythons: PYTHONS=python3.13
	$(BIN)/python scripts/versions.py $(filter-out newest,$(TORCH)) $(PYTHONS:%=--python %) $(if $(RECIPES),--recipes $(RECIPES)) $(if $(FORCE),--force)

explain: offline ## make the packages that readers install, pytorch-verbatim and its pages, below explain/dist
	rm -rf explain/dist && mkdir explain/dist && cp site/pip/*.whl explain/dist

issue: ## open or update the issue that shows the newest report in the folder REPORT
	@scripts/issue.sh $(REPORT)

lint: $(VENV)/.tests $(if $(NPM),$(JS)/node_modules/.installed) ## check the form and types of code, and workflows; JavaScript where npm is
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet --pedantic .github/workflows
ifneq ($(ACTIONLINT),)
	$(ACTIONLINT) -shellcheck= -pyflakes=
else
	@echo "make: neither actionlint nor Go is here, so workflows were not looked at by it; CI does that"
endif
ifneq ($(NPM),)
	$(JS)/node_modules/.bin/eslint --config $(JS)/eslint.config.mjs docs/assets verbatim/site/search overrides scripts/exits/zensical $(JS)
else
	@echo "make: npm is not here, so JavaScript was not looked at; CI does that"
endif

format: $(VENV)/.tests ## bring the code into form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: build/benchmarks/markdown-exec/.installed build/benchmarks/sphinx-gallery/.installed ## measure against other ways of running the same scripts; a small form: OPTIONS="--sizes 6 --rounds 1"
	$(BIN)/python -m scripts.benchmarks.run $(OPTIONS)
	$(if $(OPTIONS),,$(BIN)/python -m scripts.benchmarks.edits)

clean: ## remove what was built, not the environment
	rm -rf site .cache .site-* build explain/build explain/dist explain/book/build

# -- the environment --------------------------------------------------------------------------------

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) is missing; install Python 3.11 or newer"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11, 5))' || \
		{ echo "make: $(PYTHON) is older than 3.11.5; say which to use: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "make: Python's venv is missing; on Debian and Ubuntu: sudo apt install python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# A lock is complete, so nothing is left to resolve; and what no script imports need not be compiled, two files in three.
$(VENV)/.installed: requirements.txt requirements/base.lock pyproject.toml | $(VENV)/bin/python
	@echo "make: installing what is needed below $(VENV), once; this takes a minute or more"
	@echo "make: 1 of 3: the packages of requirements/base.lock"
	@$(INSTALL) --no-deps --no-compile --require-hashes -r requirements/base.lock
	@# torch apart: no list of hashes fits all its builds, and TORCH_INDEX has torch alone. The project has no hash, either.
	@echo "make: 2 of 3: torch$(if $(TORCH_INDEX), from $(TORCH_INDEX)), 0.2 GB to fetch without CUDA, 3 GB with it"
	@$(INSTALL) --no-compile $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) --no-build-isolation --editable . \
		"$$(grep -o '^torch==[^ ]*' requirements.txt)"
	@echo "make: 3 of 3: compiling what scripts import"
	@$(BIN)/python scripts/warm.py
	@touch $@

$(VENV)/.tests: requirements/dev.lock $(VENV)/.installed
	@echo "make: installing what tests and lint need below $(VENV), once, and a browser where there is none"
	@$(INSTALL) --no-deps --no-compile --require-hashes -r requirements/dev.lock
	@$(BIN)/python scripts/browser.py
	@touch $@

$(JS)/node_modules/.installed: $(JS)/package-lock.json
	@echo "make: installing what looks at JavaScript below $(JS)"
	@npm ci --prefix $(JS) --silent --no-audit --no-fund
	@touch $@

build/exits/.installed: scripts/exits/requirements.lock $(VENV)/.installed
	@# in a folder of their own, in front of the project's packages: what they share is installed once
	$(INSTALL) --no-deps --require-hashes --upgrade --target build/exits/packages -r scripts/exits/requirements.lock
	@touch $@

build/benchmarks/%/.installed: scripts/benchmarks/environments/%.txt $(VENV)/.tests
	$(INSTALL) --no-deps --upgrade --target $(@D) -r $<
	@touch $@
