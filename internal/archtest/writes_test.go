package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"testing"
)

// handedOut are the types of the core whose values go from part to part, or out of it:
// who makes one fills it in. An Item belongs to all parts, except for its state.
var handedOut = []string{"Batch", "Decision", "Effects", "Item", "Outcome", "Polling", "Run", "Want"}

// A part that is told what happened can keep its fields in order; one whose fields
// others set cannot.
func TestNoPartOfTheCoreSetsTheFieldsOfAnother(t *testing.T) {
	core := check(t, "relay/core")
	for _, wrong := range foreignWrites(core, handedOut) {
		t.Error(wrong)
	}
	for i, name := range handedOut {
		if len(foreignWrites(core, slices.Delete(slices.Clone(handedOut), i, i+1))) == 0 {
			t.Errorf("only methods of %s and its file set its fields: it need not be handed out", name)
		}
	}
}

// write is a change of a field or, without one, of a whole value.
type write struct{ of, field string }

func (w write) String() string {
	if w.field == "" {
		return w.of
	}
	return "field " + w.field + " of " + w.of
}

// may reports whether methods of the type self, or functions if it is "", may do so in
// that file; home is the file that declares the written type.
func (w write) may(self, file, home string, handedOut []string) bool {
	switch {
	case w.of == "Item" && (w.field == "state" || w.field == ""):
		return file == "state.go"
	case w.of == "base" && self == "Core": // it makes the steps
		return true
	}
	return w.of == self || file == home || slices.Contains(handedOut, w.of)
}

// foreignWrites lists what is written outside of the type's methods and of its file. It
// does not see what is written by another name: to a map, slice or pointer that a local
// variable holds as well.
func foreignWrites(p *typed, handedOut []string) (found []string) {
	own := ownersOf(p)
	for _, file := range p.files {
		for _, decl := range file.Decls {
			self := ""
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				self = receiver(f.Recv.List[0].Type)
			}
			for _, x := range written(p.info, decl) {
				at := p.set.Position(x.Pos())
				for _, w := range own.writes(p.info, x) {
					if !w.may(self, filepath.Base(at.Filename), filepath.Base(own.homes[w.of]), handedOut) {
						found = append(found, fmt.Sprintf("%s: %s is set by another type: give %s a method that says what happened", at, w, w.of))
					}
				}
			}
		}
	}
	return found
}

// written returns what a declaration assigns to, counts, takes the address of, or makes
// with a literal, and what it hands to a function that changes the elements.
func written(info *types.Info, decl ast.Decl) (all []ast.Expr) {
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				all = append(all, n.Lhs...)
			}
		case *ast.IncDecStmt:
			all = append(all, n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				all = append(all, n.Key, n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				all = append(all, n)
			}
		case *ast.CompositeLit:
			all = append(all, n)
		case *ast.CallExpr:
			if changesElements(info, n.Fun) {
				all = append(all, &ast.IndexExpr{X: n.Args[0]})
			}
		}
		return true
	})
	return slices.DeleteFunc(all, func(x ast.Expr) bool { return x == nil })
}

// changesElements reports whether a function changes elements of its first argument.
func changesElements(info *types.Info, f ast.Expr) bool {
	switch o := callee(info, f).(type) {
	case *types.Builtin:
		return slices.Contains([]string{"append", "clear", "copy", "delete"}, o.Name())
	case *types.Func:
		return slices.Contains([]string{"slices.Delete", "slices.DeleteFunc", "slices.Insert"}, o.FullName())
	}
	return false
}

// owners says which type of a package has a field, and which file declares a type.
type owners struct {
	pkg   *types.Package
	types map[*types.Var]string
	homes map[string]string
}

func ownersOf(p *typed) owners {
	own := owners{p.pkg, map[*types.Var]string{}, map[string]string{}}
	for _, name := range p.pkg.Scope().Names() {
		if o, ok := p.pkg.Scope().Lookup(name).(*types.TypeName); ok {
			own.homes[name] = p.set.Position(o.Pos()).Filename
			own.add(name, o.Type().Underlying())
		}
	}
	return own
}

// add adds the fields of a type, and those of structs without a name inside it.
func (own owners) add(name string, t types.Type) {
	switch t := t.(type) {
	case *types.Struct:
		for f := range t.Fields() {
			own.types[f] = name
			own.add(name, f.Type())
		}
	case interface{ Elem() types.Type }: // a pointer, slice, array or map
		own.add(name, t.Elem())
	}
}

// named returns the name of a type that the package declares, or "".
func (own owners) named(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() == own.pkg {
		return n.Obj().Name()
	}
	return ""
}

// writes says what is written where x is: a field, a value of a named type behind a
// pointer or in a slice, or elements of one. A local variable is nobody's.
func (own owners) writes(info *types.Info, x ast.Expr) (all []write) {
	whole := func(t types.Type) {
		if of := own.named(t); of != "" {
			all = append(all, write{of: of})
		}
	}
	for {
		switch y := x.(type) {
		case *ast.SelectorExpr:
			if s := info.Selections[y]; s != nil {
				if of := own.types[s.Obj().(*types.Var).Origin()]; of != "" {
					all = append(all, write{of, s.Obj().Name()})
				}
			}
			return all
		case *ast.UnaryExpr:
			if own.named(info.TypeOf(y.X)) != "" { // what is set through the pointer shows by its type
				return all
			}
			x = y.X
		case *ast.StarExpr:
			whole(info.TypeOf(y))
			x = y.X
		case *ast.IndexExpr:
			whole(info.TypeOf(y.X))
			if _, ok := info.TypeOf(y.X).Underlying().(*types.Map); !ok && y.Index != nil {
				whole(info.TypeOf(y))
			}
			x = y.X
		case *ast.CompositeLit: // who makes a value fills it in, except for the state of an Item
			if own.givesState(info, y) {
				all = append(all, write{"Item", "state"})
			}
			return all
		case *ast.SliceExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		default:
			return all
		}
	}
}

// givesState reports whether a literal makes an Item in some state: it names that field,
// or none.
func (own owners) givesState(info *types.Info, lit *ast.CompositeLit) bool {
	made := info.TypeOf(lit)
	if p, ok := made.Underlying().(*types.Pointer); ok { // an element of []*Item{{}}
		made = p.Elem()
	}
	return own.named(made) == "Item" && slices.ContainsFunc(lit.Elts, func(x ast.Expr) bool {
		kv, ok := x.(*ast.KeyValueExpr)
		return !ok || kv.Key.(*ast.Ident).Name == "state"
	})
}
