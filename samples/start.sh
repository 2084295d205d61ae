#!/usr/bin/env bash
# Installs what is needed, builds Greenbox and opens it on the sample conv_relu, already run with XNNPACKQuantizer.
# Where there is no screen it writes the pictures of all stages and the table of qparams to a folder instead.
#
#   samples/start.sh [OUTPUT FOLDER]     (default: ./greenbox-conv_relu; used only without a screen)
. "$(dirname "${BASH_SOURCE[0]}")/../resources/setup/build.sh"

out=${1:-$PWD/greenbox-conv_relu}
model=$root/samples/models/conv_relu.pt2
recipe=$root/samples/recipes/xnnpack.json
greenbox=$root/build/release/app/greenbox

run_without_screen() {
    mkdir -p "$out" || return
    "$greenbox" run "$model" --recipe "$recipe" --inputs "$root/samples/inputs/conv_relu.npz" \
        --dump "$out/conv_relu.dump.json" --record "$out/conv_relu.gbx" | tee "$out/qparams.txt" || return
    "$greenbox" export "$model" --recipe "$recipe" --stage exported,annotated,prepared,converted \
        --out "$out/conv_relu.svg" || return
    "$greenbox" export "$model" --recipe "$recipe" --stage exported,annotated,prepared,converted \
        --out "$out/conv_relu.png" || return
    echo "pictures of all stages and the table of qparams: $out"
}

step "install packages" install_packages
step "configure" configure release -DBUILD_TESTING=OFF
step "build" build release greenbox
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    step "open the window" "$greenbox" "$model" --recipe "$recipe" --inputs "$root/samples/inputs/conv_relu.npz"
else
    step "run the sample without a screen" run_without_screen
fi
