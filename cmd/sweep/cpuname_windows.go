package main

import "os"

// systemCPUName is family, model and stepping rather than the name on the box,
// which only the registry holds.
func systemCPUName() string { return os.Getenv("PROCESSOR_IDENTIFIER") }
