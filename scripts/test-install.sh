#!/usr/bin/env bash
# Installs the command with cargo, as a user does from a clone, and uses it. A release build: minutes, unless there is one.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d "${TMPDIR:-/tmp}/choros-install.XXXXXX")
trap 'rm -rf "$place"' EXIT
cargo install --quiet --locked --path "$root/crates/choros-cli" --root "$place"
cd "$place"
bin/choros --version
bin/choros init project
cd project
../bin/choros check
