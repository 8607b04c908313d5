#!/usr/bin/env bash
# Compiles kernels/metal to kernels/metal/crosspoint.metallib, on a Mac. A build
# with -tags metallib embeds that; sweep --metallib takes it, too. Arguments go to
# the compiler.
set -euo pipefail
cd "$(dirname "$0")/../kernels/metal"

if [ "$(uname -s)" != Darwin ]; then
	echo "A metallib is compiled on a Mac; Metal's compiler is nowhere else." >&2
	exit 1
fi
if ! xcrun -sdk macosx metal --version >/dev/null 2>&1; then
	echo "There is no Metal compiler. It comes with Xcode, from version 26 on after" >&2
	echo "    xcodebuild -downloadComponent MetalToolchain" >&2
	echo "Without it sweep has Metal compile the kernels when it opens." >&2
	exit 1
fi

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
# Without a minimum, a library loads on the SDK's own version of macOS and later.
for source in *.metal; do
	xcrun -sdk macosx metal -mmacosx-version-min=13.0 -Wall ${1+"$@"} -c "$source" -o "$build/${source%.metal}.air"
done
xcrun -sdk macosx metallib "$build"/*.air -o crosspoint.metallib
echo "kernels/metal/crosspoint.metallib: $(wc -c <crosspoint.metallib | tr -d ' ') bytes"
