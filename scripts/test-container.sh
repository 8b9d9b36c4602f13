#!/usr/bin/env bash
# Builds the image that the Dockerfile describes and asks it a question, with buildah: no daemon, no registry of images.
# debootstrap makes the base, and a stand-in for the compiler hands out the binary of an earlier build (CHOROS_BIN, or
# that of `make build`), so everything but the compilation is tried.
# Without buildah, debootstrap or the rights to use them, nothing is built; where `CHOROS_REQUIRE_CONTAINER` is set,
# that is a failure.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
binary=${CHOROS_BIN:-${CARGO_TARGET_DIR:-$root/target}/release/choros}
place=$(mktemp -d "${TMPDIR:-/tmp}/choros-container.XXXXXX")
trap 'rm -rf "$place"' EXIT
export BUILDAH_ISOLATION=chroot

main() {
    for needed in buildah debootstrap; do
        command -v "$needed" >/dev/null || nothing "$needed is not installed"
    done
    [ "$(id -u)" -eq 0 ] || nothing "debootstrap needs root"
    [ -x "$binary" ] || nothing "there is no $binary: run 'make build'"
    echo '{"default":[{"type":"insecureAcceptAnything"}]}' >"$place/policy.json"
    make_base || nothing "no base image could be made: $(tail -n 1 "$place/log")"
    make_compiler
    storage bud --quiet --signature-policy "$place/policy.json" --pull-never -t choros "$root" >"$place/log" 2>&1 ||
        { cat "$place/log" >&2; exit 1; }
    local container
    container=$(storage from --pull-never --signature-policy "$place/policy.json" localhost/choros)
    storage run -v "$root/examples:/models" "$container" -- choros check shop/shop.chor
    echo "the image was built and works"
}

nothing() {
    echo "the image was not built: $1"
    [ -z "${CHOROS_REQUIRE_CONTAINER:-}" ]
    exit
}

storage() {
    buildah --root "$place/storage" --runroot "$place/run" --storage-driver vfs "$@"
}

make_base() {
    local container
    debootstrap --variant=minbase bookworm "$place/base" http://deb.debian.org/debian >"$place/log" 2>&1 || return 1
    container=$(storage from scratch)
    storage add --quiet "$container" "$place/base" / >/dev/null
    keep "$container" debian:bookworm-slim
}

make_compiler() {
    local container
    printf '#!/bin/sh\nmkdir -p target/release\ncp /choros-binary target/release/choros\n' >"$place/cargo"
    chmod +x "$place/cargo"
    container=$(storage from --pull-never --signature-policy "$place/policy.json" docker.io/library/debian:bookworm-slim)
    storage copy --quiet "$container" "$place/cargo" /usr/local/bin/cargo >/dev/null
    storage copy --quiet "$container" "$binary" /choros-binary >/dev/null
    keep "$container" "$(sed -n 's/^FROM \(rust:[^ ]*\) .*/\1/p' "$root/Dockerfile")"
}

keep() {
    storage commit --quiet --signature-policy "$place/policy.json" "$1" "docker.io/library/$2" >/dev/null
}

main
