package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// put writes text to path through a sink and returns the mode of what is there.
func put(t *testing.T, path, text string) fs.FileMode {
	t.Helper()
	var a app
	s, err := a.newSink(path)
	require.NoError(t, err)
	require.NoError(t, s.deliver([]byte(text)))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, text, string(data))
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode()
}

// names are the files of a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// A file that is there keeps its mode, a new one has that of every new file.
func TestSinkKeepsTheMode(t *testing.T) {
	dir := t.TempDir()
	usual := filepath.Join(dir, "usual")
	require.NoError(t, os.WriteFile(usual, nil, 0o666))
	info, err := os.Stat(usual)
	require.NoError(t, err)
	require.Equal(t, info.Mode(), put(t, filepath.Join(dir, "new"), "a"))

	secret := filepath.Join(dir, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("old"), 0o600))
	info, err = os.Stat(secret)
	require.NoError(t, err)
	require.Equal(t, info.Mode(), put(t, secret, "b"))
	require.Equal(t, []string{"new", "secret", "usual"}, names(t, dir))
}

// symlink makes a link, or skips where the system or the user has none.
func symlink(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil && runtime.GOOS == "windows" {
		t.Skipf("no symbolic links for this user: %v", err)
	} else {
		require.NoError(t, err)
	}
}

// A symbolic link stays one, and the file behind it is replaced or made; ".."
// after a link to a folder is the folder's own.
func TestSinkFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "deep", "er")
	require.NoError(t, os.MkdirAll(deep, 0o777))
	old := filepath.Join(dir, "old.md")
	require.NoError(t, os.WriteFile(old, []byte("old"), 0o666))
	sep := string(filepath.Separator)
	symlink(t, "old.md", filepath.Join(dir, "one"))
	symlink(t, filepath.Join(dir, "one"), filepath.Join(dir, "two"))
	symlink(t, filepath.Join("deep", "new.md"), filepath.Join(dir, "three"))
	symlink(t, deep, filepath.Join(dir, "folder"))
	symlink(t, "folder"+sep+".."+sep+"up.md", filepath.Join(dir, "four"))
	for link, target := range map[string]string{
		"two": "old.md", "three": filepath.Join("deep", "new.md"), "four": filepath.Join("deep", "up.md"),
	} {
		put(t, filepath.Join(dir, link), link)
		info, err := os.Lstat(filepath.Join(dir, link))
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&fs.ModeSymlink, link)
		data, err := os.ReadFile(filepath.Join(dir, target))
		require.NoError(t, err, link)
		require.Equal(t, link, string(data))
		require.True(t, sameFile(filepath.Join(dir, link), filepath.Join(dir, target)))
	}
	require.Equal(t, []string{"deep", "folder", "four", "old.md", "one", "three", "two"}, names(t, dir))
	require.Equal(t, []string{"er", "new.md", "up.md"}, names(t, filepath.Join(dir, "deep")))

	symlink(t, "loop", filepath.Join(dir, "loop"))
	var a app
	_, err := a.newSink(filepath.Join(dir, "loop"))
	require.ErrorContains(t, err, "loop")
}

func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.Mkdir("d", 0o777))
	symlink(t, "d", "e")
	require.NoError(t, os.WriteFile("here", nil, 0o666))
	symlink(t, "here", "there")
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"x", "x", true}, {"x", filepath.Join(dir, "x"), true}, {"x", "d/../x", true}, {"d/x", "e/x", true},
		{"here", "there", true}, {"x", "y", false}, {"here", "x", false}, {"d/x", "x", false},
	} {
		require.Equal(t, c.same, sameFile(c.a, c.b), "%s, %s", c.a, c.b)
	}
}

// What stands in place is written in place.
func TestSinkWritesToTheNullDevice(t *testing.T) {
	var a app
	s, err := a.newSink(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, s.deliver([]byte("x")))
	s.discard()
}
