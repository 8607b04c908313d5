# make test     every check that this machine can run; see scripts/test.sh
# make compare  our kernels beside other people's libraries; writes compare/out.json
# make vectors  regenerate kat/vectors from its oracle
.PHONY: test compare vectors

test:
	@scripts/test.sh

compare:
	@cd compare && go run . -out out.json

vectors:
	@cd kat/_gen && go run .
