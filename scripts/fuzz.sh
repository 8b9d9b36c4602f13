#!/usr/bin/env bash
# Feeds every reader with damaged texts from a fresh seed, which is printed; CHOROS_SEED repeats a run. Readers are
# called in the process, each for CHOROS_FUZZ_SECONDS (100 if nothing is said: a bit more than an hour in all; `make
# soak` says 20), and then, from the outside, by each verb that takes such a file, for a quarter of that. No text may
# bring a reader down or take ten seconds of processor time. A reader that fails does not keep the others from being
# fed.
set -euo pipefail
cd "$(dirname "$0")/.."

export CHOROS_FUZZ_SECONDS="${CHOROS_FUZZ_SECONDS:-100}"
export CHOROS_SEED="${CHOROS_SEED:-$(od -An -N7 -tu8 /dev/urandom | tr -d ' ')}"
echo "fuzzing: CHOROS_SEED=$CHOROS_SEED, $CHOROS_FUZZ_SECONDS seconds per reader"

failed=0
run() {
  cargo test --release --locked --quiet --package "$1" "${@:2}" || failed=1
}

run choros-bpel --test process -- changed_processes_never_panic
run choros-cows --test syntax -- rubbish
run choros-data --lib -- no_text_brings
run choros-drive --test fuzz
run choros-exec --test fuzz
run choros-exec --test logs -- no_text_brings
run choros-exec --lib -- no_text_brings
run choros-import --lib -- whatever_the_pattern
run choros-import --test whatever_is_imported -- damaged_descriptions
run choros-lang --test chor_fuzz --test fuzz -- damaged_examples
run choros-lang --test gchor_text -- any_text_is_read_to_its_end
run choros-lang --test pact -- no_text_is_too_strange
run choros-model --test fuzz -- reader
run choros-model --test stga_fuzz
run choros-query --test properties -- no_text_brings_the_reader_down
run choros-query --test purposes -- rubbish_is_reported
run choros-query --test socl -- rubbish
run choros-report --test fuzz
run choros-smt --lib -- no_text_brings
run choros-solve --test bad_input -- rubbish_problems
run choros-testgen --test fuzz
run choros-xml --lib -- no_text_brings
run choros-xml --test bad_input -- rubbish
run choros-xml --test xpath -- rubbish_is_no_expression
CHOROS_FUZZ_SECONDS=$(((CHOROS_FUZZ_SECONDS + 3) / 4)) run choros-cli --test readers
exit "$failed"
