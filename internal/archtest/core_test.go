package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pure is what the relay's core may import of the standard library: values, and
// nothing that waits, tells the time, or depends on chance.
var pure = []string{"errors", "fmt", "slices", "time"}

// impure are the functions of package time that read a clock or start one.
var impure = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}

func TestTheRelaysCoreDoesNoIO(t *testing.T) {
	set := token.NewFileSet()
	for _, file := range parse(t, set, filepath.Join(root(t), "relay", "core")) {
		for _, imp := range file.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			if path != module && path != module+"/driver" && !slices.Contains(pure, path) {
				t.Errorf("%s: the core imports %s", set.Position(imp.Pos()), path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType:
				t.Errorf("%s: the core is for one goroutine, and waits for nothing", set.Position(n.Pos()))
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains(impure, n.Sel.Name) {
					t.Errorf("%s: the core reads a clock with time.%s: it is told the time", set.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	}
}

// parse parses the files of a package, without its tests.
func parse(t *testing.T, set *token.FileSet, dir string) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		t.Fatalf("there is no package in %s", dir)
	}
	return files
}
