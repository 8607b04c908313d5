package main

import (
	"fmt"
	"io"
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

// newSink checks that path can be written, and changes nothing there. An empty
// path is standard output.
func (a *app) newSink(path string) (*sink, error) {
	if path == "" {
		return &sink{stdout: a.stdout}, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder", path)
		}
		return &sink{path: path}, nil
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".sweep-*")
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", path, err)
	}
	return &sink{path: path, temp: temp}, nil
}

func (s *sink) deliver(data []byte) error {
	switch {
	case s.stdout != nil:
		_, err := s.stdout.Write(data)
		return err
	case s.temp == nil:
		return os.WriteFile(s.path, data, 0o644)
	}
	defer s.discard()
	if _, err := s.temp.Write(data); err != nil {
		return err
	}
	if err := s.temp.Chmod(0o644); err != nil {
		return err
	}
	if err := s.temp.Close(); err != nil {
		return err
	}
	return os.Rename(s.temp.Name(), s.path)
}

// discard leaves no trace of what was not delivered.
func (s *sink) discard() {
	if s.temp != nil {
		s.temp.Close()
		os.Remove(s.temp.Name())
		s.temp = nil
	}
}
