//go:build !darwin && !windows

package main

func systemCPUName() string { return "" }
