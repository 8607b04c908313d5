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
go vet -tags metalsim ./gpu/... ./kernels/metal ./backends/... ./internal/metalsim/... ./cmd/sweep
CGO_ENABLED=0 go vet -tags metalsim ./backends/metal ./backends/all ./cmd/sweep
(export CGO_ENABLED=0 && tests -tags metalsim ./backends/metal)

# The sanitizers, and naga's MSL of our WGSL kernels, are among these.
step 'tests on the simulator, kernels compiled from source'
tests -tags metalsim ./internal/metalsim/...
tests -tags metalsim ./gpu/mtl ./kernels/metal ./backends/metal -args -require metal
tests -tags metalsim -run 'TestRequired|TestBackends/metal' ./backends/backendtest -args -require metal

step 'the host side under the race detector'
tests -race -short -tags metalsim ./gpu/mtl ./backends/metal -args -require metal

step 'known answers, and what is here'
work=$(mktemp -d)
trap 'rm -rf "$work" "$log"; rm -f kernels/metal/crosspoint.metallib' EXIT
go build -tags metalsim -o "$work/sweep" ./cmd/sweep
"$work/sweep" list
"$work/sweep" kat --backend metal --require metal --out "$work/kat.md"

step 'the same with a library, named'
internal/metalsim/metallib.sh kernels/metal/*.metal -o "$work/crosspoint.metallib"
"$work/sweep" list --metallib "$work/crosspoint.metallib"
"$work/sweep" kat --metallib "$work/crosspoint.metallib" --backend metal --require metal --out "$work/kat.md"

step 'and with a library, embedded'
cp "$work/crosspoint.metallib" kernels/metal/
go vet -tags metalsim,metallib ./kernels/metal ./backends/metal
go build -tags metalsim,metallib -o "$work/sweep" ./cmd/sweep
"$work/sweep" list
tests -short -tags metalsim,metallib -run 'TestRequired|TestBackends/metal' ./backends/backendtest -args -require metal

skipped yes
