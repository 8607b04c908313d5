// Command _gen writes the files of kat/vectors. It is run in its own folder:
//
//	go run .          writes them
//	go run . -check   only compares, and fails on a difference
//
// It shares no code with the rest of the repository, not even the generators of
// inputs: lattigo computes the expected values, math/big checks what lattigo
// computes and makes the probe pairs. Two runs write the same bytes.
package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
)

const (
	lattigoPath    = "github.com/tuneinsight/lattigo/v6"
	lattigoVersion = "v6.1.1"
)

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare with the files instead of writing them")
	flag.Parse()
	checkOracle()
	for _, f := range []file{lattigoFile(), randomFile(), structuredFile(), edgeFile(), probeFile()} {
		name := filepath.Join("..", "vectors", f.Name+".json")
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

// checkOracle stops the program unless it was built with the lattigo that the
// provenance names.
func checkOracle() {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		log.Fatal("no build information: run this with go run")
	}
	for _, m := range info.Deps {
		if m.Path == lattigoPath && m.Version == lattigoVersion && m.Replace == nil {
			return
		}
	}
	log.Fatalf("not built with %s %s", lattigoPath, lattigoVersion)
}
