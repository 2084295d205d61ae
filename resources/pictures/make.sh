#!/usr/bin/env bash
# Makes the pictures of the README from the program itself: resources/pictures/make.sh [GREENBOX]
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
greenbox=${1:-$root/build/release/app/greenbox}
export QT_QPA_PLATFORM=offscreen HOME=$(mktemp -d)
"$greenbox" "$root/samples/models/conv_relu.pt2" --recipe "$root/samples/recipes/xnnpack.json" \
    --inputs "$root/samples/inputs/conv_relu.npz" --theme light --select activation_post_process_0 \
    --screenshot "$root/resources/pictures/window.png"
