#!/usr/bin/env bash
# Makes the pictures of the README and of docs from the program itself: resources/pictures/make.sh [GREENBOX]
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
greenbox=$(realpath "${1:-$root/build/release/app/greenbox}")
export QT_QPA_PLATFORM=offscreen HOME=$(mktemp -d)
cd "$root" || exit 1 # the status bar names the inputs: no path of this machine
"$greenbox" samples/models/conv_relu.pt2 --recipe samples/recipes/xnnpack.json --inputs samples/inputs/conv_relu.npz \
    --theme light --select activation_post_process_0 --screenshot resources/pictures/window.png
"$greenbox" samples/models/digits_scaled.pt2 --recipe samples/recipes/xnnpack_per_tensor.json \
    --inputs samples/inputs/digits.npz --check samples/inputs/digits_check.npz --theme light \
    --select relu_1 --numbers errors --screenshot resources/pictures/numbers.png
"$greenbox" numbers samples/models/digits_scaled.pt2 --recipe samples/recipes/xnnpack.json \
    --inputs samples/inputs/digits.npz --what channels --site activation_post_process_3 --scale 1 \
    --out resources/pictures/channels.png
