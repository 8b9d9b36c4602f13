#!/usr/bin/env bash
# Makes what a release consists of, in target/release-files: an archive for this machine with the binary, manual pages,
# completions, examples, the sources of the book and licences, and a file of checksums. With --wheel also the Python
# wheel, if maturin is there.
# Nothing is uploaded.
#
# On Linux, the binary needs the glibc of the machine it was built on or a newer one, and loads Z3 when a question needs
# it: build on the oldest system that has to run it.
# On macOS, the same script makes an archive for the Mac it is run on (one for each processor; `lipo` joins two); users
# get Z3 with `brew install z3`, and an unsigned binary that was downloaded has to be allowed once.
# On Windows there is no archive: interrupts, file permissions and the search for the solver's library are written for
# Unix and have not been tried there. The Linux archive runs in WSL.
set -eu

cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-target}"
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
triple=$(rustc -vV | sed -n 's/^host: //p')
case $triple in
*-linux-gnu | *-apple-darwin) ;;
*-musl) echo "release: a static binary cannot load the solver's library; use a target with glibc" >&2 && exit 1 ;;
*) echo "release: $triple has not been tried; see the beginning of this script" >&2 && exit 1 ;;
esac
name="choros-$version-$triple"
files="$target/release-files"
content="$files/$name"

# An earlier binary can be packed by its name, which the tests do.
if [ -z "${CHOROS_BIN:-}" ]; then
    cargo build --release --locked --package choros-cli
    CHOROS_BIN="$target/release/choros"
fi
rm -rf "$files"
mkdir -p "$content/bin" "$content/completions" "$content/man/man1"
cp "$CHOROS_BIN" "$content/bin/choros"
strip "$content/bin/choros" 2>/dev/null || true
"$CHOROS_BIN" man -o "$content/man/man1"
for shell in bash elvish fish powershell zsh; do
    "$CHOROS_BIN" completions "$shell" >"$content/completions/choros.$shell"
done
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$content"
# The README refers to both.
git archive HEAD docs examples | tar -x -C "$content"
tar -czf "$files/$name.tar.gz" -C "$files" "$name"
rm -rf "$content"
if [ "${1:-}" = --wheel ]; then
    PATH="$PWD/.venv/bin:$PATH" maturin build --release --locked --manifest-path python/choros/Cargo.toml --out "$files"
fi
cd "$files"
if command -v sha256sum >/dev/null; then sha256sum choros*; else shasum -a 256 choros*; fi >SHA256SUMS
echo "release: $files"
ls -l
