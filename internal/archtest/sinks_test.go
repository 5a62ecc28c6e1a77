package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// Whoever has used one sink can make another: there is one way.
func TestEverySinkIsMadeInTheSameWay(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(root(t), "sink", "*sink"))
	if err != nil || len(dirs) < 7 {
		t.Fatalf("found %d sinks, error %v", len(dirs), err)
	}
	for _, dir := range append(dirs, filepath.Join(root(t), "examples/drivers/filesink")) {
		if made := constructors(t, dir); len(made) != 1 || made[0] != "New func(cfg Config) (*Sink, error)" {
			t.Errorf("%s has %q: expected New(cfg Config) (*Sink, error) alone; a client of the caller's is a field of Config", dir, made)
		}
	}
}

// constructors are the exported functions of a package that return a *Sink.
func constructors(t *testing.T, dir string) (made []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() {
				if text := types.ExprString(fn.Type); strings.Contains(text, "*Sink") {
					made = append(made, fn.Name.Name+" "+text)
				}
			}
		}
	}
	return made
}
