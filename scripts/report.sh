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
# unless ALLOW_SKIPS is set. That a processor lacks a vector width is nobody's
# fault, and the tests that say so ask the system whether it does.
skipped() {
	step 'skipped'
	local skips lacking
	skips=$(grep -A1 -hE '^\s*--- SKIP' "$log" | grep -v '^--$' || true)
	echo "${skips:-nothing}"
	lacking=$(grep -cE '_test\.go:[0-9]+: .*this machine (has no width|does not have)' "$log" || true)
	if [ -n "$1" ] && [ "$(grep -cE '^\s*--- SKIP' "$log" || true)" -gt "$lacking" ] && [ -z "${ALLOW_SKIPS:-}" ]; then
		echo "A skip is a failure where REQUIRE is set."
		exit 1
	fi
}
