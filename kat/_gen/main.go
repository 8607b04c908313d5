// Command _gen writes the files of kat/vectors. It is run in its own folder:
//
//	go run .          writes them
//	go run . -check   only compares, and fails on a difference
//
// It shares no code with the rest of the repository, not even the generators of
// inputs: lattigo computes the expected values of the transforms, math/big checks
// them and makes the probe pairs, x/crypto and Go's library compute the digests,
// and go-ethereum the roots of tries. Two runs write the same bytes.
package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
)

// oracleVersions are what the provenance of the files names.
var oracleVersions = map[string]string{
	"github.com/tuneinsight/lattigo/v6": "v6.1.1",
	"github.com/ethereum/go-ethereum":   "v1.17.10",
	"golang.org/x/crypto":               "v0.55.0",
}

// outputs are the files with their folders.
var outputs = []struct {
	folder string
	file   func() file
}{
	{"", lattigoFile}, {"", randomFile}, {"", structuredFile}, {"", edgeFile}, {"", probeFile},
	{"keccak", keccakFile}, {"stateroot", rootsFile},
}

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare with the files instead of writing them")
	flag.Parse()
	checkOracles()
	for _, o := range outputs {
		f := o.file()
		name := filepath.Join("..", "vectors", o.folder, f.Name+".json")
		if !*check {
			if err := os.WriteFile(name, f.encode(), 0o644); err != nil {
				log.Fatal(err)
			}
			continue
		}
		old, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		if !bytes.Equal(old, f.encode()) {
			log.Fatalf("%s is not what the generator writes", name)
		}
	}
}

// checkOracles stops the program unless it was built with the oracles that the
// provenance names.
func checkOracles() {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		log.Fatal("no build information: run this with go run")
	}
	found := 0
	for _, m := range info.Deps {
		if v, ok := oracleVersions[m.Path]; ok && m.Version == v && m.Replace == nil {
			found++
		}
	}
	if found != len(oracleVersions) {
		log.Fatalf("not built with %v", oracleVersions)
	}
}
