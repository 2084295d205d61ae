#!/usr/bin/env bash
# Installs what is needed, builds the tests (with sanitizers, warnings are errors) and runs them.
#
#   tests/run.sh [PRESET]     asan (default), dev or release
. "$(dirname "${BASH_SOURCE[0]}")/../resources/setup/build.sh"

preset=${1:-asan}

run_tests() {
    (cd "$root" && QT_QPA_PLATFORM=offscreen ctest --preset "$preset" -j "$(nproc)")
}

step "install packages" install_packages "$root/tests/packages.txt"
step "configure" configure "$preset" -DGREENBOX_WERROR=ON
step "build" build "$preset"
step "run the tests" run_tests
