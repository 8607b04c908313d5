package main

import "flag"

var require = flag.String("require", "", "comma-separated backends that must not be skipped")
