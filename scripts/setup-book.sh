#!/usr/bin/env bash
# Finds mdBook, or installs it, and prints where it is: one on the path is taken as it is; otherwise
# it is built once (some minutes) into a cache that survives `make clean`.
# CHOROS_NO_INSTALL=1 makes it look only. Exits 1 where there is none.
set -eu

version=0.5.4
cache="${XDG_CACHE_HOME:-$HOME/.cache}/choros/mdbook-$version"

if command -v mdbook >/dev/null 2>&1; then
    command -v mdbook
elif [ -x "$cache/bin/mdbook" ]; then
    echo "$cache/bin/mdbook"
elif [ -n "${CHOROS_NO_INSTALL:-}" ]; then
    echo "setup: mdBook is not installed, and nothing may be installed" >&2
    exit 1
else
    echo "setup: mdBook $version is built into $cache, which takes some minutes" >&2
    # Search is the only extra that the book needs.
    cargo install --quiet mdbook --version "$version" --locked --no-default-features \
        --features search --root "$cache" >&2
    echo "$cache/bin/mdbook"
fi
