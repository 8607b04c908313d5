# Sourced: sets what Go needs to build and run with the Metal simulator
# (-tags metalsim), from any directory of the module:
#
#	make -C internal/metalsim
#	. internal/metalsim/env.sh
#	go test -tags metalsim ./gpu/mtl
#
# A package that calls Metal adds only its libraries:
#
#	#cgo darwin LDFLAGS: -framework Foundation -framework Metal
#	#cgo linux LDFLAGS: -lmetalsim -lgnustep-base -lobjc

METALSIM=$(go list -m -f '{{.Dir}}')/internal/metalsim

# GCC keeps the headers of its Objective-C runtime among its own, which clang
# does not search; -idirafter, because the others there are not for clang.
for METALSIM_OBJC in /usr/lib/gcc/*/*/include; do
	if [ -f "$METALSIM_OBJC/objc/objc.h" ]; then break; fi
done

export METALSIM
export CC=clang CGO_ENABLED=1
export CGO_CFLAGS="-g -O2 -I$METALSIM/include -isystem /usr/include/GNUstep \
-idirafter $METALSIM_OBJC \
-fobjc-runtime=gcc -fblocks -fexceptions -fobjc-exceptions -D_NATIVE_OBJC_EXCEPTIONS \
-fconstant-string-class=NSConstantString -DGNUSTEP -DGNUSTEP_BASE_LIBRARY=1 -DGNU_RUNTIME=1 \
-Wno-unused-command-line-argument"
export CGO_LDFLAGS="-g -O2 -L$METALSIM/build -Wl,-rpath,$METALSIM/build"
