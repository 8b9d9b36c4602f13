#!/usr/bin/env bash
# Three answers about one shop, each with its picture: a mistake in a design, a bug in a running service, and who is to
# blame for a wrong message in a log. `make demo` builds the binaries first and sees to a solver.
set -u

cd "$(dirname "$0")/.." || exit 1
release="${CARGO_TARGET_DIR:-target}/release"
choros="$release/choros"
pictures="${CARGO_TARGET_DIR:-target}/demo"
shop=examples/shop/shop.chor
surprises=0
vendor=

main() {
    [ -x "$choros" ] || { echo "demo: run 'make demo'" >&2; exit 1; }
    rm -rf "$pictures"
    mkdir -p "$pictures"

    title "A shop: buyer, vendor, warehouse"
    sed -n '/^choreography/,$p' "$shop"
    shown 0 check "$shop"
    shown 0 draw "$shop" -o "$pictures/shop.svg"

    title "1. A mistake in the design"
    echo "A change makes the vendor refuse large orders after the reservation, where no large order can arrive:"
    sed 's/^            vendor -> buyer: Sold/            if pieces > 100 {\n                vendor -> buyer: Refused\n            } else {\n                vendor -> buyer: Sold\n            }/' \
        "$shop" >"$pictures/changed.chor"
    shown 0 check "$pictures/changed.chor"
    shown 0 draw "$pictures/changed.chor" -o "$pictures/changed.svg"

    title "2. A bug in a running service"
    echo "The vendor of examples/shop is started with a bug. Choros plays the buyer and the warehouse:"
    start_vendor
    shown 1 drive "$shop" --role vendor --binding examples/shop/shop.bind.toml --target "http://$vendor_at" \
        --mock-partners --mock-at "warehouse=$warehouse_at" --record "$pictures/drive.json"
    quietly draw "$pictures/drive.json#test_1" -o "$pictures/drive.svg"
    echo "The bug: the vendor asks the warehouse about 0 pieces, which it should refuse by itself."

    title "3. Who sent the wrong message?"
    echo "Four orders, as buyer, vendor and warehouse logged them:"
    shown 1 audit "$shop" --log examples/shop/log.jsonl
    "$choros" audit "$shop" --log examples/shop/log.jsonl --format json >"$pictures/audit.json" 2>/dev/null
    quietly draw "$pictures/audit.json#global" -o "$pictures/audit.svg"
    echo "The vendor: 3 pieces were ordered, and it reserved 4. The warehouse only did what it was asked."

    title "The pictures"
    ls "$pictures"/*.svg
    if [ "$surprises" -ne 0 ]; then
        echo "demo: $surprises of these commands did not end as they should" >&2
        exit 1
    fi
    echo "Next: README.md, or '$choros init my-shop' for a project of your own."
}

# shown STATUS WORDS…: shows a command of choros, runs it, and counts another exit code as a surprise.
shown() {
    local expected=$1
    shift
    echo
    echo "\$ choros $*"
    "$choros" "$@" 2>&1
    local status=$?
    if [ "$status" -ne "$expected" ]; then
        echo "(exit code $status, not $expected)"
        surprises=$((surprises + 1))
    fi
}

quietly() {
    "$choros" "$@" >/dev/null || surprises=$((surprises + 1))
}

# Starts the vendor with a fault, and waits until it listens. Tests bring one of their own, and say where it is.
start_vendor() {
    vendor_at="${CHOROS_DEMO_VENDOR:-127.0.0.1:$(free_port)}"
    warehouse_at="${CHOROS_DEMO_WAREHOUSE:-127.0.0.1:$(free_port)}"
    [ -z "${CHOROS_DEMO_VENDOR:-}" ] || return
    "$release/examples/vendor" --port "${vendor_at#*:}" --warehouse "$warehouse_at" --fault zero &
    vendor=$!
    trap 'kill "$vendor"' EXIT
    until (: <"/dev/tcp/127.0.0.1/${vendor_at#*:}") 2>/dev/null; do
        kill -0 "$vendor" 2>/dev/null || { echo "demo: the vendor does not start" >&2; exit 1; }
        sleep 0.1
    done
}

# A free port.
free_port() {
    local port
    for _ in $(seq 100); do
        port=$((20000 + RANDOM % 20000))
        (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return 0; }
    done
    return 1
}

title() {
    echo
    echo "━━ $*"
    echo
}

main
