#!/usr/bin/env bash
# What is known about our dependencies: bans, licences and sources, which need nothing but cargo-deny, and advisories,
# which need a database from the network. What cannot be checked here is said, and is no failure.
set -u
cd "$(dirname "$0")/.." || exit 1

if ! cargo deny --version >/dev/null 2>&1; then
    echo "note: dependencies were not checked: cargo-deny is not installed (cargo install --locked cargo-deny)"
    exit 0
fi
cargo deny --locked check bans licenses sources || exit 1
if ! cargo deny --locked fetch db >/dev/null 2>&1; then
    echo "note: advisories were not checked: their database could not be fetched"
    exit 0
fi
cargo deny --locked check --disable-fetch advisories
