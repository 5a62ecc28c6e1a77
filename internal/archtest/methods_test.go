package archtest

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"testing"
)

// maxMethods is the number of methods at which a type knows more than one thing.
const maxMethods = 25

func TestNoTypeOfTheRelayKnowsEverything(t *testing.T) {
	for _, dir := range []string{"relay", "relay/core"} {
		t.Run(dir, func(t *testing.T) {
			counts := methods(parse(t, token.NewFileSet(), filepath.Join(root(t), filepath.FromSlash(dir))))
			if len(counts) == 0 {
				t.Fatal("no type has a method: this test counts wrong")
			}
			for name, n := range counts {
				if n > maxMethods {
					t.Errorf("type %s has %d methods, at most %d: move what belongs together, with the fields that only it uses, to a type of its own", name, n, maxMethods)
				}
			}
		})
	}
}

// methods counts the methods of each type.
func methods(files []*ast.File) map[string]int {
	counts := map[string]int{}
	for _, file := range files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				counts[receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	return counts
}

// receiver returns the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr: // a type parameter
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
