package archtest

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// maxNames is how many names a user of the library can be expected to look at.
const maxNames = 80

func TestTheRootPackageHasFewNames(t *testing.T) {
	var names []string
	for _, file := range parse(t, token.NewFileSet(), root(t)) {
		for _, d := range file.Decls {
			names = append(names, exported(d)...)
		}
	}
	if len(names) == 0 || len(names) >= maxNames {
		t.Errorf("package outbox exports %d names, expected fewer than %d: what only relays and drivers need belongs to package driver\n%s",
			len(names), maxNames, strings.Join(names, " "))
	}
}

// exported are the names that a declaration adds to its package.
func exported(d ast.Decl) (names []string) {
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names = append(names, id.Name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add(d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				add(s.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					add(id)
				}
			}
		}
	}
	return names
}
