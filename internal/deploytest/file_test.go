package deploytest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is the repository.
func root(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// content returns a file of the repository.
func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// spoiled returns the text with a mistake in it, which a check has to find.
func spoiled(t *testing.T, text, right, wrong string) string {
	t.Helper()
	if !strings.Contains(text, right) {
		t.Fatalf("the file has no %q to spoil", right)
	}
	return strings.Replace(text, right, wrong, 1)
}

// write makes a file, and the folders above it.
func write(t *testing.T, path string, text []byte, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, mode); err != nil {
		t.Fatal(err)
	}
}
