// Command _gen writes the files of kat/vectors. It is run in its own folder:
//
//	go run .
//
// It shares no code with the rest of the repository, not even the generators of
// inputs: lattigo computes the expected values, math/big checks what lattigo
// computes and makes the probe pairs. Two runs write the same bytes.
package main

import (
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
	checkOracle()
	for _, f := range []file{lattigoFile(), randomFile(), structuredFile(), edgeFile(), probeFile()} {
		if err := os.WriteFile(filepath.Join("..", "vectors", f.Name+".json"), f.encode(), 0o644); err != nil {
			log.Fatal(err)
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
