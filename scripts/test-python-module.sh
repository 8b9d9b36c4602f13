#!/usr/bin/env bash
# Builds the wheel `choros` and installs it into a virtual environment of its own, as `pip install` does for a user;
# then runs the tests of its module and of its command, and checks the type stubs.
# Without maturin nothing is built; where `CHOROS_REQUIRE_PYTHON` is set, that is a failure.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bin="$root/.venv/bin"
if [ ! -x "$bin/maturin" ]; then
    echo "the Python module was not tested: scripts/setup-python.sh installs maturin"
    [ -z "${CHOROS_REQUIRE_PYTHON:-}" ]
    exit
fi
made="${CARGO_TARGET_DIR:-$root/target}/wheel"
clean="$made/environment"
rm -rf "$made"
cd "$root/python/choros"
"$bin/maturin" build --quiet --locked --out "$made"
"$bin/python" -m venv "$clean"
"$clean/bin/python" -m pip install --quiet --disable-pip-version-check "$made"/choros-*.whl
packages=$("$clean/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
# pytest itself stays out of the clean environment. Called by name, it does not see the sources beside the tests.
CHOROS_COMMAND="$clean/bin/choros" PYTHONPATH="$packages" "$bin/pytest" -q -p no:cacheprovider tests
"$bin/basedpyright" --level error --pythonpath "$bin/python"
