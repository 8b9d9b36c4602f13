#!/usr/bin/env bash
# Every check of this repository. All of them run even when an early one fails, so that one
# run tells everything there is to repair; the last lines are the test runner's own summary.
set -u

cd "$(dirname "$0")/.." || exit 1
# Solvers that `scripts/setup-solvers.sh` could only get from pip live there.
[ -d .venv/bin ] && PATH="$PWD/.venv/bin:$PATH"
[ -t 1 ] && export CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-always}"
log=$(mktemp "${TMPDIR:-/tmp}/choros-test.XXXXXX") || exit 1
trap 'rm -f "$log"' EXIT
# The same run ends the same way: random tests draw from these seeds, unless others are given.
export CHOROS_SEED="${CHOROS_SEED:-20131031}" PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-20131031}"
# Where nobody looks, a solver, a Python package or a browser that is missing must not pass for a test that
# was run.
[ "${CI:-}" = true ] && export CHOROS_REQUIRE_SOLVERS=1 CHOROS_REQUIRE_PYTHON=1 CHOROS_REQUIRE_BROWSER=1
passed=()
failed=()

main() {
    step "formatting" cargo fmt --all --check
    step "clippy" cargo clippy --workspace --all-targets --locked -- -D warnings
    step "features" scripts/features.sh
    step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
    step "tidy" cargo run --quiet --package xtask --locked -- tidy
    step "dependencies" scripts/deny.sh
    step "documentation tests" cargo test --workspace --doc --locked --no-fail-fast
    if cargo nextest --version >/dev/null 2>&1; then
        # nextest starts a process per test, and each of the specs' would read all of them again.
        step "specs" logged cargo test --workspace --test specs --locked
        step "tests" logged cargo nextest run --workspace --locked --no-fail-fast -E 'not binary(specs)'
    else
        step "tests" logged cargo test --workspace --lib --bins --tests --locked --no-fail-fast
    fi
    step "streams" logged cargo test --package choros-cli --features nats --test watch_nats --locked
    step "Python module" scripts/test-python-module.sh
    summary
    [ ${#failed[@]} -eq 0 ]
}

# step NAME COMMAND…
step() {
    local name=$1
    shift
    echo "── $name"
    if "$@"; then passed+=("$name"); else failed+=("$name"); fi
}

# Shows the output and keeps it for the summary. `pipefail` would leak into the other steps.
logged() {
    "$@" 2>&1 | tee -a "$log"
    return "${PIPESTATUS[0]}"
}

summary() {
    echo "── summary"
    [ ${#passed[@]} -gt 0 ] && echo "passed: $(join "${passed[@]}")"
    [ ${#failed[@]} -gt 0 ] && echo "FAILED: $(join "${failed[@]}")"
    # nextest prints one line "Summary […] n tests run: …"; plain `cargo test` one line per
    # binary, which are added up.
    sed 's/\x1b\[[0-9;]*m//g' "$log" | awk '
        /^ *Summary \[/ { nextest = $0 }
        /^test result:/ { pass += $4; fail += $6; ignored += $8; plain = 1 }
        END {
            if (nextest) print nextest
            if (plain) printf "test result: %d passed; %d failed; %d ignored\n", pass, fail, ignored
            if (!nextest && !plain) print "no test was run"
        }'
}

join() {
    local first=$1 name
    shift
    printf '%s' "$first"
    for name in "$@"; do printf ', %s' "$name"; done
}

main
