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

# skips prints each skipped test with its reason, which go test -v prints before it.
skips() {
	awk '
		/^=== / { test = $3; if ($2 == "RUN") delete why[test] }
		/^ *[A-Za-z0-9_]+\.go:[0-9]+: / { why[test] = $0 }
		/^ *--- SKIP: / { print "--- SKIP: " $3; print why[$3] }
	' "$log"
}

# skipped lists the tests that were, which is a failure where $1 is not empty,
# unless ALLOW_SKIPS is set. That a processor lacks a vector width is nobody's
# fault, and the tests that say so ask the system whether it does.
skipped() {
	step 'skipped'
	local list all lacking
	list=$(skips)
	echo "${list:-nothing}"
	all=$(grep -c '^--- SKIP' <<<"$list" || true)
	lacking=$(grep -cE ': .*this machine (has no width|does not have)' <<<"$list" || true)
	if [ -n "$1" ] && [ "$all" != "$lacking" ] && [ -z "${ALLOW_SKIPS:-}" ]; then
		echo "A skip is a failure where REQUIRE is set."
		exit 1
	fi
}
