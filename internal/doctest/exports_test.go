package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// exports is what the packages of the repository export, by package name, and
// the members of their types.
type exports struct {
	names   map[string]map[string]bool            // package, name
	members map[string]map[string]map[string]bool // package, type, field or method
	order   map[string][]string                   // package.type: its fields in order
	tests   map[string][]string                   // the folders of a test
	strings map[string]bool                       // literals, of the suites and their tests
}

// collect reads every Go file of the repository once, those of tests too.
func collect(t *testing.T) *exports {
	t.Helper()
	x, err := readAll()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

var readAll = sync.OnceValues(func() (*exports, error) {
	x := &exports{
		names: map[string]map[string]bool{}, members: map[string]map[string]map[string]bool{}, order: map[string][]string{},
		tests: map[string][]string{}, strings: map[string]bool{},
	}
	return x, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || (len(name) > 2 && name[0] == '.') {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		x.add(f, filepath.ToSlash(folder), strings.HasSuffix(path, "_test.go"))
		return err
	})
})

func (x *exports) add(f *ast.File, folder string, test bool) {
	pkg := f.Name.Name
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			x.strings[strings.Trim(l.Value, "\"`")] = true
		}
		return true
	})
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case test:
				x.tests[d.Name.Name] = append(x.tests[d.Name.Name], folder)
			case d.Recv == nil:
				x.name(pkg, d.Name.Name)
			default:
				x.member(pkg, base(d.Recv.List[0].Type), d.Name.Name)
			}
		case *ast.GenDecl:
			if test {
				continue
			}
			for _, s := range d.Specs {
				x.spec(pkg, s)
			}
		}
	}
}

func (x *exports) spec(pkg string, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			x.name(pkg, n.Name)
		}
	case *ast.TypeSpec:
		x.name(pkg, s.Name.Name)
		var fields *ast.FieldList
		switch u := s.Type.(type) {
		case *ast.StructType:
			fields = u.Fields
		case *ast.InterfaceType:
			fields = u.Methods
		default:
			return
		}
		for _, f := range fields.List {
			for _, n := range f.Names {
				x.member(pkg, s.Name.Name, n.Name)
				if n.IsExported() {
					x.order[pkg+"."+s.Name.Name] = append(x.order[pkg+"."+s.Name.Name], n.Name)
				}
			}
		}
	}
}

func (x *exports) name(pkg, name string) {
	if x.names[pkg] == nil {
		x.names[pkg] = map[string]bool{}
	}
	x.names[pkg][name] = true
}

func (x *exports) member(pkg, of, name string) {
	if x.members[pkg] == nil {
		x.members[pkg] = map[string]map[string]bool{}
	}
	if x.members[pkg][of] == nil {
		x.members[pkg][of] = map[string]bool{}
	}
	x.members[pkg][of][name] = true
}

// ofAnyPackage says whether there is a type of that name, and one that has the
// member.
func (x *exports) ofAnyPackage(typeName, member string) (known, found bool) {
	for pkg, types := range x.members {
		if types[typeName] != nil && x.names[pkg][typeName] {
			known, found = true, found || types[typeName][member]
		}
	}
	return known, found
}

// base is the name of a receiver's type.
func base(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return base(e.X)
	case *ast.IndexExpr:
		return base(e.X)
	case *ast.IndexListExpr:
		return base(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
