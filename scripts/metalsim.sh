#!/usr/bin/env bash
# Builds the simulator of Metal and runs on it all that a Mac runs, on Linux: the
# bridge, the kernels, the backend and the command. Nothing may be skipped here.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/report.sh

metalsim_present || { echo "The simulator of Metal needs $metalsim_packages"; exit 1; }
make -s -C internal/metalsim
. internal/metalsim/env.sh

step 'the bridge, by the warnings'
# shellcheck disable=SC2086 # flags are words
$CC $CGO_CFLAGS -Wall -Wextra -Werror -fsyntax-only gpu/mtl/bridge.m

step 'vet on the simulator'
packages=(./gpu/... ./kernels/metal ./backends/metal ./backends/all ./backends/backendtest ./internal/metalsim/... ./cmd/sweep)
go vet -tags metalsim "${packages[@]}"
CGO_ENABLED=0 go vet -tags metalsim ./backends/metal ./cmd/sweep

step 'tests on the simulator, kernels compiled from source'
tests -tags metalsim ./internal/metalsim/... ./kernels/metal
tests -tags metalsim ./gpu/mtl ./backends/metal ./backends/backendtest -args -require metal
tests -race -short -tags metalsim ./gpu/mtl ./backends/metal -args -require metal

step 'kernels of a compiled library, named and embedded'
lib=$(mktemp -d)
trap 'rm -rf "$lib" "$log"; rm -f kernels/metal/crosspoint.metallib' EXIT
internal/metalsim/metallib.sh kernels/metal/*.metal -o "$lib/crosspoint.metallib"
go build -tags metalsim -o "$lib/sweep" ./cmd/sweep
"$lib/sweep" list --metallib "$lib/crosspoint.metallib"
"$lib/sweep" kat --metallib "$lib/crosspoint.metallib" --backend metal --require metal --out "$lib/kat.md"
cp "$lib/crosspoint.metallib" kernels/metal/
tests -short -tags metalsim,metallib ./backends/metal ./backends/backendtest -args -require metal

step 'known answers, kernels compiled from source'
"$lib/sweep" list
"$lib/sweep" kat --backend metal --require metal --out "$lib/kat.md"

skipped yes
