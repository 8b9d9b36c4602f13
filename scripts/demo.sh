#!/usr/bin/env bash
# Walks the online-shopping choreography through every verb: input, command, result.
# `make demo` builds the binary first and sees to a solver.
set -u

cd "$(dirname "$0")/.." || exit 1
choros="${CARGO_TARGET_DIR:-target}/release/choros"
example=examples/online-shopping.schora
native=examples/online-shopping.chor
market=examples/market.schora
output=$(mktemp "${TMPDIR:-/tmp}/choros-demo.XXXXXX") || exit 1
report=$(mktemp "${TMPDIR:-/tmp}/choros-report.XXXXXX") || exit 1
trap 'rm -f "$output" "$report"' EXIT
surprises=0
expected=0

main() {
    [ -x "$choros" ] || { echo "demo: $choros is not there; run 'make demo'" >&2; exit 1; }

    title "A shop, written down once for everybody"
    echo "A buyer asks a vendor for an amount of goods; the vendor may have to ask its warehouse."
    echo "This is the choreography 'shop' of $example:"
    echo
    sed -n '/^component shop /,/^end component/p' "$example" | sed 's/^/    /'

    title "Is it sound?"
    echo "The vendor sells only when x > 0, so the warehouse's error for x <= 0 can never happen:"
    choros check "$example#shop"
    local code
    code=$(grep -o 'CH[0-9]\{4\}' "$output" | head -n 1)

    if [ -n "$code" ]; then
        title "What does $code mean?"
        choros explain "$code"
    fi

    title "How big is it?"
    echo "The choreography, and the three services that implement it, put together:"
    choros explore "$example#shop"
    choros explore "$example#shop_services"

    title "What does it look like?"
    choros draw "$example#shop"

    title "The same in the native language"
    echo "A message per line and braces; the graph is the same:"
    echo
    sed -n '/^choreography shop/,/^}/p' "$native" | sed 's/^/    /'
    choros explore "$native#shop"
    choros fmt --check "$native"

    title "Can the roles do it?"
    echo "Each service sees only its own messages. The warehouse cannot know whether to wait for"
    echo "'sell', so one message is missing (exit code 1: the answer is no):"
    expecting 1 choros realize "$example#shop" --repair

    title "What does each role do?"
    echo "With that message added:"
    choros project "$example#shop" --repair --role w

    title "Do the services do what the choreography says?"
    echo "For all data; the message that was added is hidden:"
    choros conform "$example#shop_services" "$example#shop"

    title "What happened, step by step?"
    echo "A market whose services do more than its choreography allows; the report is saved and"
    echo "replayed (exit code 1: the answer is no):"
    expecting 1 saving "$report" choros conform "$market#market_services" "$market#market" --format json
    choros replay "$report"

    title "And for a program?"
    echo "Every answer is also one JSON object:"
    choros explore "$example#order" --format json

    title "The whole script"
    echo "The commands at the end of the file, one answer each:"
    echo
    sed -n '/^COMMANDS/,$p' "$example" | sed 's/^/    /'
    choros script "$example"

    title "Done"
    if [ "$surprises" -eq 0 ]; then
        echo "Next: the tutorial in README.md, the book in docs/book, or '$choros --help'."
    else
        echo "demo: $surprises of these commands did not end as they should" >&2
        exit 1
    fi
}

# Shows a command, runs it and keeps what it printed. Every command of this demo should
# produce an answer that holds, which is exit code 0, unless another one is expected.
choros() {
    echo
    echo "\$ choros $*"
    "$choros" "$@" 2>&1 | tee "$output"
    local status=${PIPESTATUS[0]}
    if [ "$status" -ne "$expected" ]; then
        echo "(exit code $status)"
        surprises=$((surprises + 1))
    fi
}

# saving FILE COMMAND…: what the command prints goes to the file as well, and is not shown.
saving() {
    local file=$1
    shift
    "$@" > /dev/null
    sed -n '/^{/,/^}/p' "$output" > "$file"
    echo
    echo "\$ $* > report.json"
}

# expecting STATUS COMMAND…
expecting() {
    expected=$1
    shift
    "$@"
    expected=0
}

title() {
    echo
    echo "━━ $*"
    echo
}

main
