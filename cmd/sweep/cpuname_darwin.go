package main

import "syscall"

func systemCPUName() string {
	name, err := syscall.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return ""
	}
	return name
}
