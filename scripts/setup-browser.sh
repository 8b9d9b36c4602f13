#!/usr/bin/env bash
# Finds Chromium and its driver, or installs them by name through the system's package manager, and
# axe-core, which looks for what keeps people out, from npm's registry, into `.venv/`. The tests of the
# page need them. Nothing is done when they are there. CHOROS_NO_INSTALL=1 makes it look only.
#
# It always exits 0: building never needs a browser, and the tests say themselves what they miss.
# Where `CHOROS_REQUIRE_BROWSER` is set, as in continuous integration, they fail then.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/setup-common.sh"
axe_version=4.11.1
axe="$root/.venv/axe.min.js"
log=$(mktemp "${TMPDIR:-/tmp}/choros-browser.XXXXXX") || exit 0
trap 'rm -f "$log"' EXIT

main() {
    if is_complete; then
        echo "setup: browser: $(command -v chromium), $(command -v chromedriver)"
    elif [ -n "${CHOROS_NO_INSTALL:-}" ]; then
        echo "setup: warning: no chromium with chromedriver, and nothing may be installed" >&2
    elif install_packages chromium chromium-driver fonts-dejavu-core && is_complete; then
        echo "setup: browser: $(command -v chromium), $(command -v chromedriver) (just installed)"
    else
        echo "setup: warning: chromium and chromium-driver could not be installed; the tests of the page have no browser" >&2
        tail -n 3 "$log" | sed 's/^/setup:   /' >&2
    fi
    if [ -s "$axe" ]; then
        echo "setup: axe-core: $axe"
    elif [ -z "${CHOROS_NO_INSTALL:-}" ] && get_axe; then
        echo "setup: axe-core: $axe (just fetched)"
    else
        echo "setup: warning: no axe-core; the test of the page's accessibility has nothing to run with" >&2
    fi
}

is_complete() {
    command -v chromium >/dev/null 2>&1 && command -v chromedriver >/dev/null 2>&1
}

# npm knows where its registry is; without it, nothing is fetched.
get_axe() {
    command -v npm >/dev/null 2>&1 || return 1
    local folder
    folder=$(mktemp -d "${TMPDIR:-/tmp}/choros-axe.XXXXXX") || return 1
    (cd "$folder" && npm pack --silent "axe-core@$axe_version" >/dev/null 2>&1 && tar -xzf axe-core-*.tgz package/axe.min.js) &&
        mkdir -p "$root/.venv" && cp "$folder/package/axe.min.js" "$axe"
    local result=$?
    rm -rf "$folder"
    return "$result"
}

main
exit 0
