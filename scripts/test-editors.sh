#!/bin/sh
# Runs what the folder editors has in the editors themselves: test-editors.sh [CHOROS]
#
# Editors are taken from the system where they are installed (neovim, emacs with Eglot, hx, chromium, node and npm); what
# comes from elsewhere is kept in CHOROS_EDITORS_CACHE: tree-sitter by cargo, code-server with the node that it needs by
# npm (some 620 MB; it compiles, and needs the Kerberos headers, libkrb5-dev). A part whose editor is not there is left
# out, which is said; CHOROS_REQUIRE_EDITORS=1 makes that a failure. Screenshots are kept in target/editors.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
choros=${1:-target/release/choros}
choros=$(realpath "$choros")
cache=${CHOROS_EDITORS_CACHE:-$HOME/.cache/choros-editors}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$cache" target/editors

left_out() {
	echo "left out: $1"
	[ "${CHOROS_REQUIRE_EDITORS:-0}" != 1 ] || exit 1
}

printf 'choreography S[a, b] {\n    a -> c: M\n}\n' >"$work/wrong.chor"
export CHOROS_BIN="$choros" CHOROS_TEST_FILE="$work/wrong.chor"

echo "== tree-sitter"
if [ ! -x "$cache/ts/bin/tree-sitter" ]; then
	cargo install tree-sitter-cli --version 0.25.10 --locked --root "$cache/ts" --quiet || true
fi
if [ -x "$cache/ts/bin/tree-sitter" ]; then
	cp -r editors/tree-sitter-chor "$work/grammar"
	cd "$work/grammar"
	"$cache/ts/bin/tree-sitter" generate
	cmp src/parser.c "$root/editors/tree-sitter-chor/src/parser.c" || {
		echo "src/parser.c is not what \`tree-sitter generate\` makes of grammar.js"
		exit 1
	}
	"$cache/ts/bin/tree-sitter" test
	cd "$root"
	python3 editors/tests/chor_texts.py "$work/texts" README.md cases crates docs examples specs
	find "$work/texts" -name '*.chor' | sort >"$work/list"
	# A text has a mistake in its form for both readers or for none.
	(cd "$work/grammar" && "$cache/ts/bin/tree-sitter" parse --quiet --paths "$work/list" 2>/dev/null || true) |
		sed -n 's/^\([^ \t]*\.chor\)[ \t].*\(ERROR\|MISSING\).*/\1/p' | sort >"$work/errors"
	while read -r text; do
		status=0
		"$choros" fmt --check "$text" >"$work/said" 2>&1 || status=$?
		# A wait that is too long is a number that is too large, and well formed.
		if [ "$status" -eq 2 ] && ! grep -q CH0133 "$work/said"; then echo "$text"; fi
	done <"$work/list" >"$work/refused"
	diff "$work/errors" "$work/refused" || {
		echo "the grammar (<) and choros (>) differ on these"
		exit 1
	}
	echo "$(wc -l <"$work/list") texts, $(wc -l <"$work/errors") with mistakes in their form"
else
	left_out "tree-sitter: cargo could not install it"
fi

echo "== Neovim"
if command -v nvim >/dev/null; then
	timeout 120 nvim --headless -u NONE --cmd "let g:choros_command='$choros'" \
		-c 'luafile editors/neovim/choros.lua' -c 'luafile editors/tests/neovim.lua'
	echo
else
	left_out "Neovim is not installed"
fi

echo "== Emacs"
if command -v emacs >/dev/null; then
	timeout 120 emacs -q --batch -L editors/emacs -l editors/tests/emacs.el
else
	left_out "Emacs is not installed"
fi

echo "== Helix"
python3 editors/tests/helix.py editors/helix/languages.toml
if command -v hx >/dev/null; then
	mkdir -p "$work/config/helix"
	cp editors/helix/languages.toml "$work/config/helix/languages.toml"
	PATH=$(dirname "$choros"):$PATH XDG_CONFIG_HOME=$work/config hx --health chor
else
	left_out "Helix is not installed, and no package registry has it; its settings were read"
fi

echo "== Zed"
if rustup target list --installed 2>/dev/null | grep -qx wasm32-wasip1; then
	cp -r editors/zed "$work/zed"
	cargo build --quiet --manifest-path "$work/zed/Cargo.toml" --target wasm32-wasip1 --target-dir "$cache/zed"
	echo "the extension was compiled to WebAssembly"
else
	left_out "Zed: \`rustup target add wasm32-wasip1\` for its extension"
fi

echo "== VS Code"
if ! command -v npm >/dev/null || ! command -v chromium >/dev/null; then
	left_out "npm and chromium are not installed"
	exit 0
fi
scripts/package-vscode.sh
node=$cache/node/node_modules/node/bin/node
server=$cache/code-server/node_modules/code-server/out/node/entry.js
if [ ! -f "$node" ]; then
	npm install --prefix "$cache/node" --no-audit --no-fund --dangerously-allow-all-scripts node@24 || true
fi
if [ ! -f "$server" ] && [ -f "$node" ]; then
	# What it compiles needs the headers of that node, which come with it.
	headers=$(find "$cache/node" -path '*/include/node/node_api.h' | head -n 1)
	npm_config_nodedir=${headers%/include/node/node_api.h} PATH=$(dirname "$node"):$PATH npm install --prefix "$cache/code-server" --no-audit --no-fund \
		--dangerously-allow-all-scripts code-server@4.139.1 || true
fi
if [ -f "$server" ] && [ -f "$node" ]; then
	cp target/choros.vsix "$work/choros.vsix"
	(cd target/vscode && "$node" test/e2e.mjs "$server" "$work/choros.vsix" "$choros" "$root/examples" "$root/target/editors")
else
	left_out "code-server could not be installed"
fi
