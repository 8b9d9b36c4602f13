#!/usr/bin/env bash
# What takes too long for `make test`: random laws with large budgets, damaged texts for every reader, every verb on
# every model, the example services with many seeds, the installation and the editors.
#
#   scripts/soak.sh           all of it
#   scripts/soak.sh WORD      the lines with this word in their names
#   scripts/soak.sh --list    the names
#
# CHOROS_SOAK_FACTOR=4 multiplies the budgets of all laws, CHOROS_FUZZ_SECONDS, CHOROS_DRIVE_RUNS and CHOROS_SHARD
# change that of one line. A line that fails does not keep the others from running; at the end stands what each of them
# took by the clock and of processors, building included.
set -u
cd "$(dirname "$0")/.." || exit 1
word=${1:-}
factor=${CHOROS_SOAK_FACTOR:-1}
used=$(mktemp "${TMPDIR:-/tmp}/choros-soak.XXXXXX") || exit 1
trap 'rm -f "$used"' EXIT
table=()
failed=0

main() {
  line "laws of realize" laws 40 choros-realize --test safety --test against_naive
  line "laws of independent parts" laws 10 choros-realize --test independent_laws
  line "laws of variables" laws 15 choros-realize --test realize_data_laws --test told_laws --test variable_laws
  line "laws of repair" ignored choros-realize --test realize_laws --test repair_laws
  line "laws of peers" ignored choros-realize --test peers_laws --test peers_data
  line "laws of conform" laws 25 choros-conform --test against_naive
  line "laws of minimisation" laws 50 choros-check --test minimize
  line "laws of all data" laws 20 choros-forall --test twin
  line "laws of audit" laws 100 choros-monitor --test audit_guilt --test audit_twin --test audit_clock \
    --test audit_outside --test redaction
  line "played partners" laws 5 choros --test played_partners
  line "prompt queues" ignored choros-model --test prompt_queues
  line "names do not matter" laws 1 choros-cli --test names_do_not_matter
  line "verbs on models" ignored choros-cli --test bounded
  line "fuzz" env CHOROS_FUZZ_SECONDS="${CHOROS_FUZZ_SECONDS:-$((20 * factor))}" scripts/fuzz.sh
  line "drive" env CHOROS_REQUIRE_PYTHON=1 CHOROS_DRIVE_RUNS="${CHOROS_DRIVE_RUNS:-$((40 * factor))}" \
    cargo test --release --locked --package choros-cli --test drive_soak -- --ignored --nocapture --test-threads 1
  line "streams" streams
  line "install" scripts/test-install.sh
  line "container" container
  line "editors" scripts/test-editors.sh
  [ "$word" = --list ] && return
  echo "── what it took"
  printf '%8s %12s\n' "clock" "processors"
  printf '%s\n' "${table[@]}"
  return "$failed"
}

# line NAME COMMAND…
line() {
  local name=$1 began=$SECONDS before
  shift
  if [ "$word" = --list ]; then
    echo "$name"
    return
  fi
  case $name in *"$word"*) ;; *) return ;; esac
  echo "── $name"
  times >"$used"
  before=$(processors)
  "$@" || {
    failed=1
    name="$name: FAILED"
  }
  times >"$used"
  table+=("$(printf '%6d s %10d s  %s' $((SECONDS - began)) $(($(processors) - before)) "$name")")
}

# Seconds of processors that all children took so far, of what `times` wrote.
processors() {
  awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' "$used"
}

# laws BUDGET PACKAGE TESTS…: so many times the rounds of `make test`.
laws() {
  CHOROS_SOAK=$(($1 * factor)) cargo test --release --locked --package "${@:2}" -- --nocapture
}

# Tests whose large budget is of another kind.
ignored() {
  cargo test --release --locked --package "$@" -- --ignored --nocapture
}

# Workers are killed 51 times, servers 17 times, and the network is cut 34 times.
streams() {
  CHOROS_REQUIRE_PYTHON=1 CHOROS_SOAK=$((17 * factor)) cargo test --release --locked --package choros-cli \
    --features nats --test watch_nats -- --nocapture --test-threads 1
}

container() {
  cargo build --release --locked --package choros-cli && scripts/test-container.sh
}

main
