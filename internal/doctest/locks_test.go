package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// held is a lock or an atomic value of the relay: a field of a type, or, without an owner,
// something else in a file. One that has no name of its own has no field either.
type held struct{ file, owner, field, kind string }

func (h held) String() string { return strings.Trim(h.owner+"."+h.field, ".") }

// heldIn finds what a file uses of the packages sync and sync/atomic to guard values.
func heldIn(file *ast.File, name string) (found []held) {
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok && guards(kindOf(x)) {
			found = append(found, held{file: name, kind: kindOf(x)}.named(x, stack)...)
		}
		return true
	})
	return found
}

// guards reports whether a name is that of a lock or an atomic value, or of a function that
// makes or uses one.
func guards(kind string) bool {
	return strings.HasPrefix(kind, "atomic.") || strings.HasPrefix(kind, "sync.Once") ||
		slices.Contains([]string{"sync.Mutex", "sync.RWMutex", "sync.Map", "sync.Cond", "sync.Locker", "sync.NewCond"}, kind)
}

// named says what is declared with x in its type or value: a pointer to a lock, or a map of
// locks, counts as the lock. Parameters and what is assigned have their names elsewhere.
func (h held) named(x *ast.SelectorExpr, stack []ast.Node) []held {
	for i, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if n.Fun == x { // atomic.AddInt64: no name tells that the value is atomic
				return []held{h}
			}
		case *ast.BlockStmt:
			return []held{h}
		case *ast.ValueSpec:
			return h.each(n.Names)
		case *ast.TypeSpec:
			return h.each([]*ast.Ident{n.Name})
		case *ast.Field:
			if _, ok := stack[i-2].(*ast.StructType); !ok { // a parameter
				return h.elsewhere()
			}
			h.owner = typeAround(stack[:i])
			if len(n.Names) == 0 {
				return h.each([]*ast.Ident{x.Sel})
			}
			return h.each(n.Names)
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				return h.elsewhere()
			}
			var names []*ast.Ident
			for _, l := range n.Lhs {
				names = append(names, l.(*ast.Ident))
			}
			return h.each(names)
		case *ast.KeyValueExpr, *ast.TypeAssertExpr:
			return h.elsewhere()
		}
	}
	return []held{h}
}

func (h held) each(names []*ast.Ident) (all []held) {
	for _, id := range names {
		if id.Name != "_" {
			all = append(all, held{h.file, h.owner, id.Name, h.kind})
		}
	}
	return all
}

// elsewhere leaves out an atomic value: it is found where it is declared.
func (h held) elsewhere() []held {
	if h.atomic() {
		return nil
	}
	return []held{h}
}

func (h held) atomic() bool { return strings.HasPrefix(h.kind, "atomic.") }

// typeAround returns the name of the type that is declared there, or "".
func typeAround(stack []ast.Node) string {
	for _, n := range slices.Backward(stack) {
		if spec, ok := n.(*ast.TypeSpec); ok {
			return spec.Name.Name
		}
	}
	return ""
}

func kindOf(x *ast.SelectorExpr) string {
	if id, ok := x.X.(*ast.Ident); ok {
		return id.Name + "." + x.Sel.Name
	}
	return ""
}

// lacks reports whether a section about locks says nothing of one: its table has a row
// for each lock, and its text the names of atomic values.
func (h held) lacks(s section) bool {
	if h.atomic() {
		return !slices.ContainsFunc(s.text, func(l line) bool { return slices.Contains(code(l.text), h.field) })
	}
	want := []string{h.file, h.owner, h.field}
	if h.owner == "" {
		want = []string{h.file, h.kind}
	}
	for _, row := range slices.Concat(s.tables...) {
		names := code(row.text)
		if !slices.ContainsFunc(want, func(name string) bool { return !slices.Contains(names, name) }) {
			return false
		}
	}
	return true
}

// rowsWithout returns the rows whose locks are not there.
func rowsWithout(s section, all []held) (found []line) {
	for _, row := range slices.Concat(s.tables...)[2:] { // without the heads
		cells := strings.Split(row.text, "|")
		locks, owners := code(cells[1]), code(cells[2])
		known := func(h held) bool { return slices.Contains(locks, h.field) && slices.Contains(owners, h.owner) }
		if !slices.ContainsFunc(all, known) {
			found = append(found, row)
		}
	}
	return found
}

// Who takes two locks in the wrong order finds out late: the table is the order.
func TestTheArchitectureNamesEachLockOfTheRelay(t *testing.T) {
	var all []held
	for _, dir := range []string{"relay", "relay/core"} {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, heldIn(file, filepath.Base(path))...)
		}
	}
	sections := read(t, filepath.Join(root, "docs", "architecture.md")).sections()
	i := slices.IndexFunc(sections, func(s section) bool { return s.heading.text == "### Who may hold what" })
	if i < 0 || len(sections[i].tables) != 1 || len(all) == 0 {
		t.Fatal("docs/architecture.md has no table of locks, or there is none")
	}
	for _, h := range all {
		if h.lacks(sections[i]) {
			t.Errorf("docs/architecture.md does not name a use of %s in %s: %s", h.kind, h.file, h)
		}
	}
	for _, row := range rowsWithout(sections[i], all) {
		t.Errorf("docs/architecture.md:%d: there is no such lock", row.number)
	}
}
