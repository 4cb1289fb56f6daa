# The commands of this house. `make play` is the one to begin with.

PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input --quiet
INSTALL := $(PIP) install --no-compile --require-hashes -r

.PHONY: play test test-thorough test-slow lint bench years client requirements audit-packages setup setup-dev chromium

play: setup ## the site on this machine: PORT=8000
	@exec $(PY) -m nomic.embedded play

test: setup-dev chromium ## the suite, browser tests included, in some ten minutes on two cores
	@$(PY) -m nomic.embedded test -n 3 --dist worksteal $(TESTS)

test-thorough: setup-dev chromium ## the same with walks over every page and servers that end: CI plays a fourteenth of them a day
	@$(MAKE) test TESTS="-m 'not slow' $(TESTS)"

test-slow: setup-dev chromium ## what takes minutes: longer games, larger crowds, walks everywhere
	@$(PY) -m nomic.embedded test -n 2 --dist worksteal -m slow $(TESTS)

lint: setup-dev ## everything that reads the code without running the suite
	@PY="$(PY)" sh .ci/lint

bench: setup-dev ## the benchmarks, as JSON and a table; shorter: BENCH=--quick
	@$(PY) -m bench $(BENCH)

years: setup ## a year of a nomic that lived elsewhere, played into the site's database: FOLDER=… SLUG=… JSON=1
	@$(PY) -m bench.years "$(FOLDER)" $(if $(SLUG),--slug "$(SLUG)") $(if $(JSON),--json)

client: setup ## the client of the API as a package, in var/client
	@rm -rf var/client && mkdir -p var/client && cp -R nomic/client var/client/source && \
	  $(PIP) wheel --no-deps --wheel-dir var/client var/client/source && ls var/client/*.whl

# Each of the two sets is installed anew only when its list changed; a copy of the list is the stamp.
# Python compiles of it what is imported, when it is.
setup: .venv/bin/python
	@cmp -s requirements.txt .venv/requirements.txt || \
	  { echo "Installing what requirements.txt lists …"; \
	    $(INSTALL) requirements.txt && cp requirements.txt .venv/requirements.txt; }

setup-dev: .venv/bin/python
	@cmp -s requirements-dev.txt .venv/requirements-dev.txt || \
	  { echo "Installing what requirements-dev.txt lists …"; \
	    $(INSTALL) requirements-dev.txt && cp requirements-dev.txt .venv/requirements-dev.txt && \
	    cp requirements.txt .venv/requirements.txt; }

.venv/bin/python:
	@python=$$(sh .ci/find-python) && echo "Making .venv with $$python …" && \
	  "$$python" -m venv --clear .venv

chromium:
	@sh .ci/find-chromium

requirements: setup-dev ## pin what pyproject.toml asks for, with hashes
	@sh .ci/pin-requirements

audit-packages: setup-dev ## known holes in the pinned packages (asks the package index); fails where it has no answer
	@.venv/bin/pip-audit --strict --require-hashes --disable-pip -r requirements.txt
