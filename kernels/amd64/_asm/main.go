// Command _asm writes the assembly of package amd64, and the declarations of its
// functions. It is run in its own folder:
//
//	go run .          writes the files
//	go run . -check   only compares, and fails on a difference
package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// output is one assembly file, NAME_amd64.s, with its declarations in
// NAME_amd64.go.
type output struct {
	name  string
	build func(*build.Context)
}

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare with the files instead of writing them")
	dir := flag.String("dir", "..", "the folder of the files")
	flag.Parse()
	for _, o := range slices.Concat(cpuOutputs, nttOutputs, keccakOutputs) {
		for name, text := range o.files() {
			name = filepath.Join(*dir, name)
			if !*check {
				if err := os.WriteFile(name, text, 0o644); err != nil {
					log.Fatal(err)
				}
				continue
			}
			old, err := os.ReadFile(name)
			if err != nil {
				log.Fatal(err)
			}
			if !bytes.Equal(old, text) {
				log.Fatalf("%s is not what the generator writes", name)
			}
		}
	}
}

// files returns the texts of an output by the names of their files.
func (o output) files() map[string][]byte {
	ctx := build.NewContext()
	ctx.ConstraintExpr("amd64,!purego")
	o.build(ctx)
	f, err := ctx.Result()
	if err != nil {
		log.Fatalf("%s: %v", o.name, err)
	}
	if err := pass.Compile.Execute(f); err != nil {
		log.Fatalf("%s: %v", o.name, err)
	}
	config := printer.Config{Name: "_asm", Pkg: "amd64"}
	text, err := printer.NewGoAsm(config).Print(f)
	if err != nil {
		log.Fatalf("%s: %v", o.name, err)
	}
	stubs, err := printer.NewStubs(config).Print(f)
	if err != nil {
		log.Fatalf("%s: %v", o.name, err)
	}
	return map[string][]byte{o.name + "_amd64.s": text, o.name + "_amd64.go": stubs}
}
