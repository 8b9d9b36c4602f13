#!/usr/bin/env bash
# Builds the module `choros` into `.venv/`, runs its tests, and checks its type stubs.
# Without maturin there nothing is built; where `CHOROS_REQUIRE_PYTHON` is set, that is a failure.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bin="$root/.venv/bin"
if [ ! -x "$bin/maturin" ]; then
    echo "the Python module was not tested: scripts/setup-python.sh installs maturin"
    [ -z "${CHOROS_REQUIRE_PYTHON:-}" ]
    exit
fi
cd "$root/python/choros"
# Built in its place, beside the stubs; the solver of the machine does, a wheel brings its own.
VIRTUAL_ENV="$root/.venv" PATH="$bin:$PATH" "$bin/maturin" develop --quiet --locked --skip-install
PYTHONPATH="$PWD" "$bin/python" -m pytest -q -p no:cacheprovider tests
"$bin/basedpyright" --level error --pythonpath "$bin/python"
