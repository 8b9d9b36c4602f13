#!/bin/sh
# Packs the extension for VS Code: choros.vsix in the folder target.
# Needs node and npm; nothing else of the project does.
set -eu
cd "$(dirname "$0")/.."
rm -rf target/vscode
mkdir -p target/vscode
cp -r editors/vscode/. editors/grammars target/vscode/
cp LICENSE-MIT target/vscode/LICENSE
cd target/vscode
npm install --no-audit --no-fund --omit=dev
npx --yes @vscode/vsce package --no-git-tag-version --allow-missing-repository --out ../choros.vsix
