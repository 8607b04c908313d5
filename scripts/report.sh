# Sourced by test.sh and metalsim.sh: how steps and tests are shown.

log=$(mktemp)
trap 'rm -f "$log"' EXIT

step() { printf '\n== %s\n' "$*"; }

# tests runs go test, shows a line per package, and keeps the rest for the list
# of skips and for failures.
tests() {
	local out status=0
	out=$(mktemp)
	go test -v -timeout 20m "$@" >"$out" 2>&1 || status=$?
	grep -E '^(ok|FAIL|panic:|---\s*FAIL)' "$out" || true
	if [ "$status" != 0 ]; then
		grep -vE '^(=== |\s*--- PASS|PASS$|ok )' "$out" | tail -n 200
	fi
	cat "$out" >>"$log"
	rm -f "$out"
	return "$status"
}

# skipped lists the tests that were, which is a failure where $1 is not empty,
# unless ALLOW_SKIPS is set.
skipped() {
	step 'skipped'
	local skips
	skips=$(grep -A1 -hE '^\s*--- SKIP' "$log" | grep -v '^--$' || true)
	echo "${skips:-nothing}"
	if [ -n "$1" ] && [ -n "$skips" ] && [ -z "${ALLOW_SKIPS:-}" ]; then
		echo "A skip is a failure where REQUIRE is set."
		exit 1
	fi
}
