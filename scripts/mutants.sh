#!/usr/bin/env bash
# Plants each mutant of blockstm/mutants in a copy of the package, and checks that
# the tests named in its header fail. Fails if a mutant survives, does not apply or
# does not build.
#
#   scripts/mutants.sh [NAME...]   these only, by the start of their names
#   JOBS=3                         how many at a time
#
# The header of a patch holds lines "# breaks:", what it makes wrong, "# run:", the
# tests that must notice, and "# flags:", those of the build.
set -euo pipefail
cd "$(dirname "$0")/.."

# Some mutants show in some schedules only, which a run of the tests may miss.
tries=8

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CEILING_DIRECTORIES=$work # so that git apply knows of no repository

field() { sed -n "s/^# $2: //p" "$1"; }

# copy puts the package into a directory, build builds its tests there with flags, and
# check runs some of them.
copy() { # DIR
	mkdir -p "$1/blockstm"
	cp go.mod go.sum "$1"
	cp blockstm/*.go "$1/blockstm"
}

build() { # DIR FLAGS
	# shellcheck disable=SC2086 # flags are words
	(cd "$1/blockstm" && go test -c -vet=off $2 -o "$1/test" .)
}

check() { # DIR TESTS LIMIT
	(cd "$1/blockstm" && "$1/test" -test.short -test.timeout="$3" -test.run "$2")
}

# try says what became of a mutant, in one line.
try() {
	local name dir status=0 how i
	name=$(basename "$1" .patch)
	dir=$work/$name
	copy "$dir"
	if ! (cd "$dir" && git apply -C2) <"$1" 2>"$dir/log"; then
		how='DOES NOT APPLY'
	elif ! build "$dir" "$(field "$1" flags)" >"$dir/log" 2>&1; then
		how='DOES NOT BUILD'
	else
		for ((i = 0; i < tries && status == 0; i++)); do
			check "$dir" "$(field "$1" run)" 25s >"$dir/log" 2>&1 || status=$?
		done
		if [ "$status" = 0 ]; then
			how='SURVIVED'
		else
			how="caught by $(grep -m1 -oE -- '--- FAIL: [A-Za-z0-9]+|panic: [A-Za-z0-9]+ hangs|panic: test timed out|DATA RACE|panic: .{0,60}' "$dir/log" |
				sed 's/--- FAIL: //; s/^panic: //' || echo "exit status $status")"
		fi
	fi
	printf '%-36s %s\n' "$name" "$how" | tee "$dir.result"
	case $how in caught*) ;; *) tail -n 15 "$dir/log" >&2 ;; esac
	rm -rf "$dir"
}

patches=()
for p in "$PWD"/blockstm/mutants/*.patch; do
	for name in "${@:-}"; do
		[[ $(basename "$p") != "$name"* ]] || patches+=("$p")
	done
done
[ "${#patches[@]}" -gt 0 ] || { echo 'no such mutant' >&2; exit 1; }

# The tests must pass without a mutant, or they would prove nothing.
for flags in $(for p in "${patches[@]}"; do field "$p" flags | tr ' ' '+'; done | sort -u) ''; do
	tests=
	for p in "${patches[@]}"; do
		[ "$(field "$p" flags | tr ' ' '+')" != "$flags" ] || tests+="${tests:+|}$(field "$p" run)"
	done
	[ -n "$tests" ] || continue
	copy "$work/none"
	build "$work/none" "${flags//+/ }"
	check "$work/none" "$tests" 3m >"$work/log" 2>&1 || { cat "$work/log"; echo "tests fail without a mutant ($flags)"; exit 1; }
	rm -rf "$work/none"
done

for p in "${patches[@]}"; do
	while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-3}" ]; do wait -n || true; done
	try "$p" &
done
wait

caught=$(cat "$work"/*.result | grep -c ' caught by ' || true)
echo "$caught of ${#patches[@]} mutants caught"
[ "$caught" = "${#patches[@]}" ]
