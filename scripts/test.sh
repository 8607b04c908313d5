#!/usr/bin/env bash
# Runs every check that this machine can run, and lists what it skipped.
#
#   REQUIRE=wgsl,metal,simd  these backends must be here, and nothing may be skipped
#                            but widths of simd that the processor does not have;
#                            on Linux metal is the simulator: see metalsim.sh
#   ALLOW_SKIPS=1            what is skipped is listed all the same, and no failure
#   NO_INSTALL=1             never install a package
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/report.sh

require=${REQUIRE:-}
# Packages whose tests take -require, because they need a device, or a processor.
device_packages=(./gpu/wgpu ./kernels/wgsl ./backends/wgsl ./backends/simd ./backends/backendtest)
# What of the required tests can have without cgo, and elsewhere than on a Mac at all.
bare=$(tr , '\n' <<<"$require" | grep -vx metal | paste -sd, - || true)
here=$bare
if [ "$(uname -s)" = Darwin ] && [ "$(go env CGO_ENABLED)" = 1 ]; then
	here=$require
	device_packages+=(./gpu/mtl ./kernels/metal ./backends/metal)
fi
# Packages with goroutines.
race_packages=(./backends/... ./blockstm/... ./gpu/... ./internal/suite ./cmd/sweep ./keccak ./stateroot)

install_packages
[ -z "$require" ] || pin_lavapipe

step 'format and vet'
unformatted=$(gofmt -l $(git ls-files '*.go'))
[ -z "$unformatted" ] || { echo "not gofmt-ed: $unformatted"; exit 1; }
go vet ./...
go vet -tags purego ./...
go vet -tags blockstm_stress ./blockstm
go mod tidy -diff

step 'builds for other systems'
for target in linux/arm64 darwin/arm64 darwin/amd64 windows/amd64; do
	echo "$target"
	CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} go build ./...
done
# What of Metal is not behind cgo.
CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 go vet ./...
if [ "$(uname -s)" = Darwin ]; then
	step 'the bridge to Metal, by the warnings'
	# Of a newer SDK a warning is for us, where everything is required, not for users.
	clang -Wall -Wextra ${require:+-Werror} -fsyntax-only gpu/mtl/bridge.m
fi

step 'tests'
# shellcheck disable=SC2046 # package paths hold no spaces
tests $(go list ./... | grep -vxF "$(go list "${device_packages[@]}")")
tests "${device_packages[@]}" -args -require "$here"

step 'tests without assembly'
tests -tags purego -short ./kernels/amd64 ./backends/simd

step 'tests under the race detector'
tests -race -short "${race_packages[@]}"

step 'block execution under stress'
# Gives way at random between any two steps whose order matters.
tests -tags blockstm_stress ./blockstm
tests -tags blockstm_stress -race -short ./blockstm

step 'planted faults are found'
scripts/mutants.sh

step 'tests against other libraries'
(cd compare && export CGO_ENABLED=0 && go vet ./... && tests ./... -args -require "$bare")

step 'vectors regenerate to the same bytes'
(cd kat/_gen && go vet ./... && go run . -check)

step 'assembly regenerates to the same bytes'
(cd kernels/amd64/_asm && go vet ./... && go run . -check)

if [ "$(uname -s)" != Darwin ]; then
	if metalsim_present; then
		scripts/metalsim.sh
	elif [ "$bare" != "$require" ]; then
		echo "metal is required, and its simulator needs $metalsim_packages" && exit 1
	else
		printf '\n== no simulator of Metal: it needs %s\n' "$metalsim_packages"
	fi
fi

skipped "$require"
