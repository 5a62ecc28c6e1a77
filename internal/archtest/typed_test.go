package archtest

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// typed is a package of the module, without its tests, with what each name means.
type typed struct {
	set   *token.FileSet
	files []*ast.File
	pkg   *types.Package
	info  *types.Info
}

// check finds out what the names in a package mean.
func check(t *testing.T, dir string) *typed {
	t.Helper()
	set := token.NewFileSet()
	return checkFiles(t, set, parse(t, set, filepath.Join(root(t), filepath.FromSlash(dir))), compiled(t, "./"+dir))
}

// checkFiles does so for the files of one package.
func checkFiles(t *testing.T, set *token.FileSet, files []*ast.File, imports importer.Lookup) *typed {
	t.Helper()
	p := &typed{set: set, files: files, info: &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Defs: map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{},
	}}
	cfg := types.Config{Importer: importer.ForCompiler(set, "gc", imports)}
	var err error
	if p.pkg, err = cfg.Check("checked", set, files, p.info); err != nil {
		t.Fatal(err)
	}
	return p
}

// compiled finds what the compiler has made of packages and all that they import.
func compiled(t *testing.T, paths ...string) importer.Lookup {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, paths...)...)
	cmd.Dir = root(t)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) {
		b, err := os.ReadFile(files[path])
		return io.NopCloser(bytes.NewReader(b)), err
	}
}

// callee returns the function that a call names, or the variable that has it, or nil if
// the call names neither.
func callee(info *types.Info, f ast.Expr) types.Object {
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		return info.Uses[f]
	case *ast.SelectorExpr:
		return info.Uses[f.Sel]
	case *ast.IndexExpr: // of a type parameter, or of a map of functions
		if o, ok := callee(info, f.X).(*types.Func); ok {
			return o
		}
	case *ast.IndexListExpr:
		return callee(info, f.X)
	}
	return nil
}
