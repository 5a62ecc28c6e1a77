package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"
)

// maxMethods is the number of methods at which a type knows more than one thing.
const maxMethods = 25

// shared are what the parts of the core have in common. They embed it, and its methods
// count for it alone.
var shared = []string{"memory", "base"}

func TestNoTypeOfTheRelayKnowsEverything(t *testing.T) {
	for _, dir := range []string{"relay", "relay/core"} {
		t.Run(dir, func(t *testing.T) {
			counts := methods(check(t, dir))
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

// methods counts the methods of each type with those of what it embeds, so that a type
// does not become smaller by embedding its pieces.
func methods(p *typed) map[string]int {
	counts := map[string]int{}
	for _, name := range p.pkg.Scope().Names() {
		o, ok := p.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(o.Type()) {
			continue
		}
		all := types.NewMethodSet(types.NewPointer(o.Type()))
		for m := range all.Methods() {
			if m.Obj().Pkg() == p.pkg && !slices.ContainsFunc(embeddedBy(o.Type(), m.Index()), isShared) {
				counts[name]++
			}
		}
	}
	return counts
}

func isShared(name string) bool { return slices.Contains(shared, name) }

// embeddedBy returns the names of the fields through which a type has a method.
func embeddedBy(t types.Type, path []int) (names []string) {
	for _, i := range path[:len(path)-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		names, t = append(names, f.Name()), f.Type()
	}
	return names
}

func TestMethodsOfWhatATypeEmbedsCount(t *testing.T) {
	const code = `package core
type base struct{}
func (*base) note() {}
type memory struct { *base }
func (*memory) move() {}
func (*memory) leave() {}
type Part struct { *memory; piece; named piece; far }
func (*Part) Next() {}
type piece struct { inner }
func (piece) one() {}
type inner struct{}
func (*inner) two() {}
type far interface { three() }
type list[T any] struct{}
func (*list[T]) push() {}
type queue struct { list[int] }
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "it.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := methods(checkFiles(t, set, []*ast.File{file}, nil))
	want := map[string]int{"base": 1, "memory": 2, "Part": 4, "piece": 2, "inner": 1, "list": 1, "queue": 1}
	if !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
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
