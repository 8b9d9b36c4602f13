#!/bin/sh
# Packs the extension for VS Code: choros.vsix in the folder target.
# Needs node and npm, which building and using the command do not. What it gets from npm is pinned in package.json.
set -eu
cd "$(dirname "$0")/.."
mkdir -p target/vscode
cp -r editors/vscode/. editors/grammars target/vscode/
cp LICENSE-MIT target/vscode/LICENSE
cd target/vscode
npm install --no-audit --no-fund --ignore-scripts
npm test
npm exec -- vsce package --no-git-tag-version --allow-missing-repository --out ../choros.vsix
