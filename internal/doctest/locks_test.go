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
// something else in a file.
type held struct{ file, owner, field, kind string }

// heldIn finds what a file uses of the packages sync and sync/atomic to guard values.
func heldIn(file *ast.File, name string) (found []held) {
	inFields := map[*ast.SelectorExpr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			st, ok := n.Type.(*ast.StructType)
			if !ok {
				return true
			}
			for _, f := range st.Fields.List {
				x := guard(f.Type)
				if x == nil {
					continue
				}
				inFields[x] = true
				for _, id := range f.Names {
					found = append(found, held{name, n.Name.Name, id.Name, kindOf(x)})
				}
				if len(f.Names) == 0 {
					found = append(found, held{name, n.Name.Name, x.Sel.Name, kindOf(x)})
				}
			}
		case *ast.SelectorExpr:
			if guard(n) != nil && !inFields[n] && !strings.HasPrefix(kindOf(n), "atomic.") {
				found = append(found, held{file: name, kind: kindOf(n)})
			}
		}
		return true
	})
	return found
}

// guard returns the type of a lock or an atomic value, or nil.
func guard(x ast.Expr) *ast.SelectorExpr {
	switch x := x.(type) {
	case *ast.IndexExpr: // atomic.Pointer[T]
		return guard(x.X)
	case *ast.SelectorExpr:
		kind := kindOf(x)
		if strings.HasPrefix(kind, "atomic.") || strings.HasPrefix(kind, "sync.Once") ||
			slices.Contains([]string{"sync.Mutex", "sync.RWMutex", "sync.Map", "sync.Cond", "sync.Locker", "sync.NewCond"}, kind) {
			return x
		}
	}
	return nil
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
	if strings.HasPrefix(h.kind, "atomic.") {
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
			t.Errorf("docs/architecture.md does not name the %s %s of %s in %s", h.kind, h.field, h.owner, h.file)
		}
	}
	for _, row := range rowsWithout(sections[i], all) {
		t.Errorf("docs/architecture.md:%d: there is no such lock", row.number)
	}
}

func TestALockThatIsNotNamedIsFound(t *testing.T) {
	const table = "### Who\n\nAtomic: `n` of `t`.\n\n| lock | owner |\n| --- | --- |\n" +
		"| `mu` | `t` (`it.go`) |\n| `made`: `sync.Once` | `u`, `v` (`it.go`) |\n"
	for src, want := range map[string]struct{ lacking, without int }{
		"type t struct { mu sync.Mutex; n atomic.Int64 }; type u struct { made sync.Map }; var o = new(sync.Once)": {0, 0},
		"type t struct { mu, more sync.Mutex }; type v struct { made sync.Once }":                                  {1, 0},
		"type t struct { m atomic.Pointer[int]; mu sync.RWMutex }":                                                 {1, 1},
		"type u struct { mu, made sync.Mutex }":                                                                    {1, 1},
		"type t struct { sync.Mutex }":                                                                             {1, 2},
		"type t struct { wg sync.WaitGroup }; var p sync.Pool":                                                     {0, 2},
		"func f() { var mu sync.Mutex; mu.Lock() }":                                                                {1, 2},
		"var f = sync.OnceFunc(nil)":                                                                               {1, 2},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "it.go", "package p\n"+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		section := parse(table).sections()[0]
		all, lacking := heldIn(file, "it.go"), 0
		for _, h := range all {
			if h.lacks(section) {
				lacking++
			}
		}
		if without := len(rowsWithout(section, all)); lacking != want.lacking || without != want.without {
			t.Errorf("%s: %d are not named and %d rows have none, want %v", src, lacking, without, want)
		}
	}
}
