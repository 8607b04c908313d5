#!/usr/bin/env bash
# Runs every check that this machine can run, and lists what it skipped.
#
#   REQUIRE=wgsl   these backends must be here, and nothing may be skipped
#   NO_INSTALL=1   never install a package
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

require=${REQUIRE:-}
# Packages whose tests take -require, because they need a device.
device_packages=(./gpu/wgpu ./kernels/wgsl ./backends/wgsl ./backends/backendtest)
# Packages with goroutines.
race_packages=(./backends/... ./blockstm/... ./gpu/... ./internal/suite ./cmd/sweep ./keccak ./stateroot)

log=$(mktemp)
trap 'rm -f "$log"' EXIT

step() { printf '\n== %s\n' "$*"; }

# tests runs go test, shows a line per package, and keeps the rest for the list
# of skips and for failures.
tests() {
	local out status=0
	out=$(mktemp)
	go test -v "$@" >"$out" 2>&1 || status=$?
	grep -E '^(ok|FAIL|panic:|---\s*FAIL)' "$out" || true
	if [ "$status" != 0 ]; then
		grep -vE '^(=== |\s*--- PASS|PASS$|ok )' "$out" | tail -n 200
	fi
	cat "$out" >>"$log"
	rm -f "$out"
	return "$status"
}

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

step 'tests'
# shellcheck disable=SC2046 # package paths hold no spaces
tests $(go list ./... | grep -vxF "$(go list "${device_packages[@]}")")
tests "${device_packages[@]}" -args -require "$require"

step 'tests under the race detector'
tests -race -short "${race_packages[@]}"

step 'block execution under stress'
# Gives way at random between any two steps whose order matters.
tests -tags blockstm_stress ./blockstm
tests -tags blockstm_stress -race -short ./blockstm

step 'planted faults are found'
scripts/mutants.sh

step 'tests against other libraries'
(cd compare && export CGO_ENABLED=0 && go vet ./... && tests ./... -args -require "$require")

step 'vectors regenerate to the same bytes'
(cd kat/_gen && go vet ./... && go run . -check)

step 'skipped'
skips=$(grep -A1 -hE '^\s*--- SKIP' "$log" | grep -v '^--$' || true)
echo "${skips:-nothing}"
if [ -n "$require" ] && [ -n "$skips" ]; then
	echo "A skip is a failure where REQUIRE is set."
	exit 1
fi
