# make play   set up what is needed and open the table
# make test   set up what the tests need and run them all, a few of them over PostgreSQL; make test GAME=vivid: those of one game
# make quick  style, types, and what finds most faults in under a minute
# make test-all  also what the extras need (arena's plots, environments, Ray, CUDA, PostgreSQL): installs what can be had, says what it skipped
# make bench  speed, beside the others
# make setup  only the set-up; leaves the command at .venv/bin/recollect

# the system's own Python where it will do: it is built with its optimisations, and everything takes a tenth less time than with one compiled plainly
PYTHON ?= $(shell /usr/bin/python3 -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo /usr/bin/python3 || echo python3)
PORT ?= 8000
HOST ?= 127.0.0.1
UV = .tools/bin/uv
export VIRTUAL_ENV = $(CURDIR)/.venv
export RECOLLECT_CACHE = $(CURDIR)/.cache/compiled
.PHONY: play test test-all quick setup setup-test browser database check bench lock clean

play: setup
	@echo "Opening the table (Ctrl-C closes it; games are kept in data/)."
	@.venv/bin/recollect serve --host $(HOST) --port $(PORT)

setup: .venv/.ready

.venv/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Recollect needs Python 3.11 or newer; '$(PYTHON)' is older. Say PYTHON=... to use another."; exit 1; }
	@[ -x $(UV) ] || { echo "Fetching the installer (uv) into .tools ..."; $(PYTHON) -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target .tools uv; }
	@[ -x .venv/bin/python ] || { echo "Making a Python environment in .venv ..."; $(UV) venv --quiet --python $(PYTHON) .venv; }
	@echo "Installing what Recollect needs (about 300 MB, once) ..."
	@$(UV) pip install --quiet --compile-bytecode --require-hashes -r requirements.lock
	@$(UV) pip install --quiet --no-deps --editable .
	@touch $@
	@echo "Ready: .venv/bin/recollect"

setup-test: .venv/.ready-test browser

.venv/.ready-test: .venv/.ready requirements-test.lock
	@echo "Installing what the tests need ..."
	@$(UV) pip install --quiet --require-hashes -r requirements-test.lock
	@touch $@

# Debian's Chromium when it may be installed; without it the browser tests are skipped and say so
browser:
	@if command -v chromium >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing Chromium for the browser tests (Debian's package) ..."; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >/dev/null 2>&1 \
	  || echo "Chromium could not be installed: the browser tests will be skipped."; \
	else echo "No Chromium here ('apt-get install chromium' as root gives one): the browser tests will be skipped."; fi

# Debian's PostgreSQL likewise; the tests start one of their own in a temporary folder
database:
	@if command -v pg_config >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing PostgreSQL for the tests of several processes (Debian's package) ..."; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null 2>&1 \
	  || echo "PostgreSQL could not be installed: its tests will be skipped."; \
	else echo "No PostgreSQL here ('apt-get install postgresql' as root gives one): its tests will be skipped."; fi

# on two cores, in the order that tests/conftest.py gives them
test: setup-test database check
	@echo "Running the tests$(if $(GAME), of $(GAME)) ..."
	@.venv/bin/python -m pytest -n 2 --dist loadgroup --no-loadscope-reorder -m "not long" $(if $(GAME),-k $(GAME))

# positions, playthroughs and laws of every game, in plain Python: nothing is compiled, no browser is opened
quick: .venv/.ready-test check
	@.venv/bin/python -m pytest -n 2 -m "not compiled and not browser" $(if $(GAME),-k $(GAME)) tests/engine tests/test_games.py tests/test_docs.py

check: .venv/.ready-test
	@echo "Checking style and types ..."
	@.venv/bin/ruff check --quiet .
	@.venv/bin/ruff format --quiet --check src tests bench
	@.venv/bin/mypy --no-error-summary

# one table on one core, beside whichever of the others can be had; then C in detail
PEERS = pip pgx "jax[cpu]" rlcard "pettingzoo[classic]" open_spiel
bench: setup
	@mkdir -p .cache && $(UV) pip freeze --quiet --exclude-editable > .cache/have
	@for peer in $(PEERS); do $(UV) pip install --quiet --target .cache/peers --constraint .cache/have "$$peer" 2>/dev/null || echo "Not to be had here: $$peer"; done
	@$(UV) pip install --quiet --target .cache/peers --no-deps popgym 2>/dev/null || echo "Not to be had here: popgym"
	@PYTHONPATH=.cache/peers .venv/bin/python bench/beside.py
	@.venv/bin/python bench/yardstick.py

# what the extras need is installed one by one, beside the locked set; what cannot be had is named, and its tests say why they are skipped
EXTRAS = lab envs ray cuda postgres
test-all: setup-test database
	@mkdir -p .cache && $(UV) pip freeze --quiet --exclude-editable > .cache/have
	@for extra in $(EXTRAS); do $(UV) pip install --quiet --constraint .cache/have ".[$$extra]" --no-sources 2>/dev/null && echo "Installed: $$extra" || echo "Skipped, cannot be had here: $$extra"; done
	@$(UV) pip install --quiet --no-deps --editable .
	@.venv/bin/python -m pytest -n 2 --dist loadgroup --no-loadscope-reorder

lock:
	@$(UV) pip compile --quiet --no-header --no-annotate --generate-hashes pyproject.toml -o requirements.lock
	@$(UV) pip compile --quiet --no-header --no-annotate --generate-hashes pyproject.toml --group test -o requirements-test.lock

clean:
	rm -rf .venv .tools .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis
