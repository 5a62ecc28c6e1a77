package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"testing"
)

// maxFields is the number of fields at which a type knows more than one thing.
const maxFields = 21

// settings are what users or callers fill in, all at once.
var settings = []string{"Config", "LaneConfig"}

// handedOut are the types of the core whose values go from part to part, or out of it:
// who makes one fills it in. An Item belongs to all parts, except for its state.
var handedOut = []string{
	"Answer", "Batch", "Decision", "Effects", "Item", "Note", "Outcome", "Polling", "Renewals", "Run", "SettleAnswer", "Want",
}

func TestNoTypeOfTheRelayHasFieldsForEverything(t *testing.T) {
	for _, dir := range []string{"relay", "relay/core"} {
		t.Run(dir, func(t *testing.T) {
			seen := 0
			for _, file := range parse(t, token.NewFileSet(), filepath.Join(root(t), filepath.FromSlash(dir))) {
				ast.Inspect(file, func(n ast.Node) bool {
					spec, ok := n.(*ast.TypeSpec)
					if !ok {
						return true
					}
					st, ok := spec.Type.(*ast.StructType)
					if !ok || slices.Contains(settings, spec.Name.Name) {
						return true
					}
					seen++
					if n := st.Fields.NumFields(); n > maxFields {
						t.Errorf("type %s has %d fields, at most %d: give those that belong together a type of their own", spec.Name.Name, n, maxFields)
					}
					return true
				})
			}
			if seen == 0 {
				t.Fatal("no type has a field: this test counts wrong")
			}
		})
	}
}

// A part that is told what happened can keep its fields in order; one whose fields
// others set cannot.
func TestNoPartOfTheCoreSetsTheFieldsOfAnother(t *testing.T) {
	for _, wrong := range foreignWrites(check(t, "relay/core")) {
		t.Error(wrong)
	}
}

func TestAFieldThatAnotherTypeSetsIsFound(t *testing.T) {
	set := token.NewFileSet()
	var files []*ast.File
	for name, code := range map[string]string{
		"a.go": "type a struct { n int; m map[int]int; b b }\nfunc (x *a) own() { x.n = 1; x.m[1]++ }\nfunc helper(x *a) { x.n++ }",
		"b.go": "type b struct { x *a; k int }\nfunc (y *b) other() { y.k = 1; y.x.n = 2; y.x.m[1] = 2; y.x.b.k, _ = 3, 4}",
	} {
		file, err := parser.ParseFile(set, name, "package core\n"+code, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if found := foreignWrites(checkFiles(t, set, files, nil)); len(found) != 2 {
		t.Errorf("found %q, want the two of b that set fields of a", found)
	}
}

// foreignWrites lists assignments to fields outside of the type's methods and of its
// file.
func foreignWrites(p *typed) (found []string) {
	owners, declared := map[types.Object]string{}, map[string]string{}
	for _, name := range p.pkg.Scope().Names() {
		o := p.pkg.Scope().Lookup(name)
		st, ok := o.Type().Underlying().(*types.Struct)
		if _, isType := o.(*types.TypeName); !ok || !isType {
			continue
		}
		declared[name] = p.set.Position(o.Pos()).Filename
		for i := range st.NumFields() {
			owners[st.Field(i)] = name
		}
	}
	for _, file := range p.files {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			self := ""
			if f.Recv != nil {
				self = receiver(f.Recv.List[0].Type)
			}
			for _, x := range assigned(f.Body) {
				s, ok := x.(*ast.SelectorExpr)
				if !ok || p.info.Selections[s] == nil {
					continue
				}
				field := p.info.Selections[s].Obj()
				of, at := owners[field], p.set.Position(s.Pos())
				stateOfItem := of == "Item" && field.Name() == "state"
				switch {
				case of == "" || !stateOfItem && (of == self || declared[of] == at.Filename):
				case of == "base" && self == "Core": // it makes the steps
				case slices.Contains(handedOut, of) && !stateOfItem:
				case stateOfItem && filepath.Base(at.Filename) == "state.go":
				default:
					found = append(found, fmt.Sprintf("%s: field %s of %s is set by another type: give %s a method that says what happened", at, field.Name(), of, of))
				}
			}
		}
	}
	return found
}

// assigned returns what is assigned to, without indexes, stars and parentheses.
func assigned(body *ast.BlockStmt) (all []ast.Expr) {
	add := func(xs ...ast.Expr) {
		for _, x := range xs {
			all = append(all, stripped(x))
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			add(n.Lhs...)
		case *ast.IncDecStmt:
			add(n.X)
		}
		return true
	})
	return all
}

func stripped(x ast.Expr) ast.Expr {
	for {
		switch y := x.(type) {
		case *ast.IndexExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		default:
			return x
		}
	}
}
