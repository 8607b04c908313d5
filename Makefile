# make test      every check that this machine can run; see scripts/test.sh
# make metalsim  the Metal backend on a simulator of Metal, on Linux
# make metallib  compile the Metal kernels, on a Mac; build with -tags metallib
# make compare   our kernels beside other people's libraries; writes compare/out.json
# make mutants   plant each fault of blockstm/mutants, and see that a test finds it
# make vectors   regenerate kat/vectors from its oracle
.PHONY: test metalsim metallib compare mutants vectors

test:
	@scripts/test.sh

metalsim:
	@scripts/metalsim.sh

metallib:
	@scripts/metallib.sh

# Without cgo: go-ethereum uses it, and gogpu's way to the driver does not link
# beside it on Linux.
compare:
	@cd compare && CGO_ENABLED=0 go run . -out out.json

mutants:
	@scripts/mutants.sh

vectors:
	@cd kat/_gen && go run .
