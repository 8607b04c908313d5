package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A sink takes a result: standard output, or a file that it replaces as a whole
// or not at all.
type sink struct {
	stdout io.Writer // nil: to path
	path   string
	temp   *os.File // beside path; nil: path is no regular file, and is written in place
}

// newSink checks that path can be written, and changes nothing there. Of a
// symbolic link it is the file behind it that will be replaced. A file that is
// there keeps its mode; a new one has what the process gives new files. An empty
// path is standard output.
func (a *app) newSink(path string) (*sink, error) {
	if path == "" {
		return &sink{stdout: a.stdout}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil: // not there, as a rule; else creating it will say why not
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder", path)
	case !info.Mode().IsRegular():
		return &sink{path: path}, nil
	}
	s := &sink{}
	if s.path, err = follow(path); err == nil {
		err = s.create(info)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", path, err)
	}
	return s, nil
}

// create makes the temporary file, with the mode of the one that it will replace,
// nil if there is none.
func (s *sink) create(old fs.FileInfo) error {
	if old != nil {
		// A rename would replace a file that may not be written, too.
		f, err := os.OpenFile(s.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		f.Close()
	}
	var err error
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s.sweep-%d-%d", folder(s.path), os.Getpid(), i)
		// Unlike os.CreateTemp this takes the mode that the process gives new files.
		s.temp, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil || old == nil {
		return err
	}
	if err := s.temp.Chmod(old.Mode().Perm()); err != nil {
		s.discard()
		return err
	}
	return nil
}

func (s *sink) deliver(data []byte) error {
	switch {
	case s.stdout != nil:
		_, err := s.stdout.Write(data)
		return err
	case s.temp == nil:
		return os.WriteFile(s.path, data, 0o666)
	}
	defer s.discard()
	if _, err := s.temp.Write(data); err != nil {
		return err
	}
	if err := s.temp.Close(); err != nil {
		return err
	}
	return os.Rename(s.temp.Name(), s.path)
}

// discard leaves no trace of what was not delivered.
func (s *sink) discard() {
	if s != nil && s.temp != nil {
		s.temp.Close()
		os.Remove(s.temp.Name())
		s.temp = nil
	}
}

// maxLinks is how many symbolic links in a row are followed.
const maxLinks = 40

// follow returns the file that path leads to through symbolic links. It need not
// exist.
func follow(path string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = folder(path) + to // not cleaned: ".." may follow a link
		}
		path = to
	}
	return "", errors.New("too many symbolic links")
}

// folder is the part of path before its last element, with the separator; of a
// name alone it is the working directory.
func folder(path string) string {
	dir, _ := filepath.Split(path)
	if dir == "" {
		return "." + string(filepath.Separator)
	}
	return dir
}

// sameFile reports whether two paths lead to one file, which need not exist.
func sameFile(a, b string) bool {
	if x, err := os.Stat(a); err == nil {
		if y, err := os.Stat(b); err == nil {
			return os.SameFile(x, y)
		}
	}
	return place(a) == place(b)
}

// place is where a file is or would be, for a comparison.
func place(path string) string {
	if target, err := follow(path); err == nil {
		path = target
	}
	if dir, err := filepath.EvalSymlinks(folder(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}
