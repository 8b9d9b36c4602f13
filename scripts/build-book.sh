#!/usr/bin/env bash
# Builds the book with mdBook into docs/book/book: the chapters, and a page per verb, option and diagnostic as the
# command of this build describes them. scripts/setup-book.sh finds or installs mdBook.
set -eu

cd "$(dirname "$0")/.."
mdbook=$(scripts/setup-book.sh)
target="${CARGO_TARGET_DIR:-target}"
cargo build --quiet --locked --package choros-cli
cargo run --quiet --locked --package xtask -- book "$target/debug/choros" "$target/book"
"$mdbook" build "$target/book" --dest-dir "$PWD/docs/book/book"
echo "the book: docs/book/book/index.html"
