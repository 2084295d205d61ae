# Functions that install what is needed and build. Sourced by samples/start.sh and tests/run.sh.
#
# Every step says its name before it runs; a step that fails ends the script and says which one it was.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# compiled once, found again from any clone: paths below the clone count relative to it
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

# step NAME COMMAND [ARG ...]
step() {
    local name=$1
    shift
    echo "== $name"
    "$@"
    local status=$?
    if [ $status -ne 0 ]; then
        echo "greenbox: the step \"$name\" failed (exit $status)" >&2
        exit $status
    fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "greenbox: this needs root or sudo: $*" >&2
        return 1
    fi
}

missing_packages() {
    local name
    sed 's/#.*//' "$root/resources/setup/packages.txt" "$@" | while read -r name; do
        [ -n "$name" ] || continue
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q '^install ok installed' || echo "$name"
    done
}

# install_packages [FILE ...]: those of packages.txt and of the files that are not there yet.
install_packages() {
    if ! command -v apt-get >/dev/null; then
        echo "greenbox: no apt-get here; install the packages of resources/setup/packages.txt in your own way" >&2
        return 0
    fi
    local wanted
    wanted=$(missing_packages "$@")
    [ -n "$wanted" ] || return 0
    as_root apt-get update -qq || return
    # shellcheck disable=SC2086  # one word a package
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null
}

# configure PRESET [OPTION ...]
configure() {
    local preset=$1
    shift
    (cd "$root" && cmake --preset "$preset" "$@")
}

# build PRESET [TARGET ...]
build() {
    local preset=$1
    shift
    (cd "$root" && cmake --build "build/$preset" ${1:+--target "$@"})
}
