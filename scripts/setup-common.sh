# What the scripts that install something share; they source it. Nothing here runs by itself.

# Installs packages by name through the system's package manager; what it says goes to `$log`.
install_packages() {
    command -v apt-get >/dev/null 2>&1 || { echo "no apt-get" >>"$log"; return 1; }
    privileged apt-get update -q >>"$log" 2>&1 </dev/null
    privileged env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1 </dev/null
}

# Never waits for a password that no one is there to type.
privileged() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        if [ -t 0 ]; then sudo "$@"; else sudo -n "$@"; fi
    else
        echo "not root and no sudo: cannot run $*" >&2
        return 1
    fi
}
