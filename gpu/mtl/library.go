//go:build (darwin || metalsim) && cgo

package mtl

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// fixedLibrary loads the library that o names, or returns nil where it names none.
func (d *device) fixedLibrary(o Options) (unsafe.Pointer, error) {
	var why *C.char
	switch {
	case o.Library != "":
		path := C.CString(o.Library)
		defer C.free(unsafe.Pointer(path))
		if l := C.mtl_library_of_file(d.dev, path, &why); l != nil {
			return l, nil
		}
		return nil, fail("open", gpu.ErrArgument, "library %s: %s", o.Library, goString(why))
	case len(o.Binary) > 0:
		l := C.mtl_library_of_data(d.dev, unsafe.Pointer(&o.Binary[0]), C.size_t(len(o.Binary)), &why)
		if l != nil {
			return l, nil
		}
		return nil, fail("open", gpu.ErrArgument, "the embedded library: %s", goString(why))
	}
	return nil, nil
}

// library returns the library that a source's entry is looked up in. One that
// was made of the source's own text or binary is kept until Close: a program is
// one text with many entries.
func (d *device) library(op string, src gpu.Source) (unsafe.Pointer, error) {
	if d.fixed != nil {
		return d.fixed, nil
	}
	produce, key := d.compile, src.Text
	if len(src.Binary) > 0 {
		produce, key = d.load, string(src.Binary)
	}
	if key == "" {
		return nil, fail(op, gpu.ErrCompile, "there is no MSL text and no library")
	}
	if l := d.texts[key]; l != nil {
		return l, nil
	}
	l, why := produce(key)
	if l == nil {
		return nil, fail(op, gpu.ErrCompile, "%s", why)
	}
	d.texts[key] = l
	return l, nil
}

// compile and load return a library, or nil and why there is none.
func (d *device) compile(text string) (unsafe.Pointer, string) {
	var why *C.char
	l := C.mtl_library_of_text(d.dev, unsafe.Pointer(unsafe.StringData(text)), C.size_t(len(text)), &why)
	return l, goString(why)
}

func (d *device) load(data string) (unsafe.Pointer, string) {
	var why *C.char
	l := C.mtl_library_of_data(d.dev, unsafe.Pointer(unsafe.StringData(data)), C.size_t(len(data)), &why)
	return l, goString(why)
}
