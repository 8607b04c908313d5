#!/bin/sh
# Makes a "metallib" of the simulator, a shared object, from .metal files:
#
#	metallib.sh [-D... -I...] IN.metal... -o OUT.metallib
#
# Build the simulator first (make). On a Mac a metallib is made by xcrun metal.
set -eu

usage() {
	echo 'usage: metallib.sh [-D... -I...] IN.metal... -o OUT.metallib' >&2
	exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
out= flags= inputs=
while [ $# -gt 0 ]; do
	case $1 in
	-o)
		[ $# -ge 2 ] || usage
		out=$2
		shift
		;;
	-*) flags="$flags $1" ;;
	*) inputs="$inputs $1" ;;
	esac
	shift
done
[ -n "$out" ] && [ -n "$inputs" ] || usage

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
n=0
objects=
for in in $inputs; do
	n=$((n + 1))
	# shellcheck disable=SC2086 # flags are a list
	"$here/build/metalscan" "$in" $flags >"$tmp/$n.cc"
	clang++ -std=c++14 -fno-exceptions -fno-rtti -Wall -Wno-unknown-attributes \
		-Wno-unused-const-variable -O2 -g1 -fPIC \
		-fvisibility=hidden -isystem "$here/include/msl" -include "$here/include/msl/metalsim_abi.h" \
		-c -o "$tmp/$n.o" "$tmp/$n.cc"
	objects="$objects $tmp/$n.o"
done
# shellcheck disable=SC2086 # objects are a list
clang++ -std=c++14 -O2 -fPIC -shared -fvisibility=hidden -o "$out" $objects "$here/src/exports.cc"
