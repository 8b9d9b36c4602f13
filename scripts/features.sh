#!/usr/bin/env bash
# features.sh: the façade is built without features and with each alone, and pulls in few packages without any.
set -euo pipefail
cd "$(dirname "$0")/.."
# What a conformance needs of others; raise it only with a reason.
most=34

packages=$(cargo tree --package choros --no-default-features --edges normal --prefix none --locked |
    sed 's/ .*//' | sort -u | grep -vc '^choros')
if [ "$packages" -gt "$most" ]; then
    echo "a conformance pulls in $packages packages, and at most $most are allowed" >&2
    exit 1
fi
# A warning of one combination is a warning that no other build shows.
check() {
    local said
    said=$(cargo check --package choros --no-default-features --locked "$@" 2>&1) || { echo "$said" >&2; exit 1; }
    if grep -q '^warning' <<<"$said"; then
        echo "$said" >&2
        exit 1
    fi
}
check
for feature in bindings bpel emitters logs nats network openapi projects theses; do
    check --features "$feature"
done
echo "$packages packages without features, and each feature builds alone without warnings"
