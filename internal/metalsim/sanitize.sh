#!/bin/sh
# Builds kernels and a driver with a sanitizer and runs them:
#
#	sanitize.sh thread|undefined|address [-D... -I...] IN.metal... DRIVER.cc... [-- ARGUMENTS]
#
# The driver calls metalsim::launch of include/msl/harness.h, and returns nonzero
# where a result is wrong. A report of the sanitizer makes the exit status nonzero
# too. Build the simulator first (make).
set -eu

usage() {
	echo 'usage: sanitize.sh thread|undefined|address [-D... -I...] IN.metal... DRIVER.cc... [-- ARGUMENTS]' >&2
	exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || usage
case $1 in
thread | undefined | address) check="-fsanitize=$1 -fno-sanitize-recover=all" ;;
*) usage ;;
esac
shift

flags= kernels= drivers=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	case $1 in
	-*) flags="$flags $1" ;;
	*.metal) kernels="$kernels $1" ;;
	*) drivers="$drivers $1" ;;
	esac
	shift
done
[ $# -eq 0 ] || shift
[ -n "$kernels" ] && [ -n "$drivers" ] || usage

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
n=0
objects=
common="$check -O0 -g -fno-omit-frame-pointer -pthread -I$here/include/msl"
for in in $kernels; do
	n=$((n + 1))
	# shellcheck disable=SC2086 # flags are lists
	"$here/build/metalscan" -threads "$in" $flags >"$tmp/$n.cc"
	# shellcheck disable=SC2086
	clang++ -std=c++14 $common -Wno-unknown-attributes -include metalsim_abi.h -c -o "$tmp/$n.o" "$tmp/$n.cc"
	objects="$objects $tmp/$n.o"
done
# shellcheck disable=SC2086
clang++ -std=c++20 -Wall $common $flags -o "$tmp/driver" $drivers $objects
TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}" UBSAN_OPTIONS="print_stacktrace=1 ${UBSAN_OPTIONS:-}" \
	"$tmp/driver" "$@"
