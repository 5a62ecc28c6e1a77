package doctest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// filesIn lists the base names in the inline code of a page.
func filesIn(t *testing.T, path string) (names []string) {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		for _, name := range code(line) {
			names = append(names, filepath.Base(name))
		}
	}
	return names
}

// Who looks for a behavior of the relay starts there.
func TestTheArchitectureNamesEachFileOfTheRelay(t *testing.T) {
	named := filesIn(t, filepath.Join(root, "docs", "architecture.md"))
	for _, dir := range []string{"relay", "relay/core"} {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%d files in %s, %v", len(paths), dir, err)
		}
		for _, path := range paths {
			if name := filepath.Base(path); !strings.HasSuffix(name, "_test.go") && !slices.Contains(named, name) {
				t.Errorf("docs/architecture.md does not say what is in %s/%s", dir, name)
			}
		}
	}
}

// notOurs are directories of the repository with no package that users import.
var notOurs = []string{"bench", "e2e"}

func TestTheArchitectureNamesEachPackage(t *testing.T) {
	named := filesIn(t, filepath.Join(root, "docs", "architecture.md"))
	docs, err := filepath.Glob(filepath.Join(root, "*", "doc.go"))
	if err != nil || len(docs) < 10 {
		t.Fatalf("%d packages, %v", len(docs), err)
	}
	for _, doc := range docs {
		if name := filepath.Base(filepath.Dir(doc)); !slices.Contains(named, name) && !slices.Contains(notOurs, name) {
			t.Errorf("docs/architecture.md does not say what package %s does", name)
		}
	}
}
