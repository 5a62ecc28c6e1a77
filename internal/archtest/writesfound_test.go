package archtest

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// line.go has a type, and what may be done to it everywhere.
const line = `package core
type line struct {
	n, m  int
	byID  map[string]int
	list  []int
	inner struct{ k int }
	all   lines
	at    *int
}
type lines map[string]*line
type fifo[T any] struct { items []T }
func (l *line) own() { l.n = 1; *l = line{}; delete(l.byID, ""); clear(l.list) }
func inItsFile(l *line) { l.n++ }
`

// item.go and state.go have one that all parts set, but for its state.
const item = `package core
type Item struct { size int; state State }
`

const state = `package core
type State int
func (it *Item) move() { it.state = 1; *it = Item{state: 2} }
`

// Each of these stands in a method of another type.
func TestWhatAnotherTypeSetsIsFound(t *testing.T) {
	compiler := compiled(t, "slices")
	for code, want := range map[string]string{
		"x.n = 1":                            "field n of line",
		"x.n++":                              "field n of line",
		"x.n += 1":                           "field n of line",
		"x.m, x.byID = 1, x.byID":            "field m of line, field byID of line",
		"for x.n = range 3 { _ = x }":        "field n of line",
		"for x.m, x.n = range x.list { }":    "field m of line, field n of line",
		"(*x).n = 1":                         "field n of line",
		"x.inner.k = 1":                      "field k of line",
		"x.inner = struct{ k int }{}":        "field inner of line",
		"x.byID[``] = 1":                     "field byID of line",
		"x.byID[``]++":                       "field byID of line",
		"x.list[0] = 1":                      "field list of line",
		"x.list[1:][0] = 1":                  "field list of line",
		"*x.at = 1":                          "field at of line",
		"*x = line{}":                        "line",
		"*x, y.k = line{}, 1":                "line",
		"some := []line{}; some[0] = *x":     "line",
		"x.all[``].n = 1":                    "field n of line",
		"x.all[``] = x":                      "lines, field all of line",
		"ls := x.all; ls[``] = x":            "lines",
		"delete(x.byID, ``)":                 "field byID of line",
		"delete(x.all, ``)":                  "lines, field all of line",
		"clear(x.byID)":                      "field byID of line",
		"clear(x.list[1:])":                  "field list of line",
		"copy(x.list, x.list)":               "field list of line",
		"_ = append(x.list[:0], 1)":          "field list of line",
		"slices.Delete(x.list, 0, 1)":        "field list of line",
		"slices.Delete[[]int](x.list, 0, 1)": "field list of line",
		"p := &x.n; *p = 1":                  "field n of line",
		"p := &x.list[0]; *p = 1":            "field list of line",
		"y.q.items = nil":                    "field items of fifo",
		"y.q.items[0] = 1":                   "field items of fifo",
		"*y.q = fifo[int]{}":                 "fifo",
		"func() { x.n = 1 }()":               "field n of line",
		"it.state = 1":                       "field state of Item",
		"*it = Item{}":                       "Item",
		"s := &it.state; *s = 1":             "State",
		"some := []Item{}; some[0] = *it":    "Item",
		"_ = Item{state: 1}":                 "field state of Item",
		"_ = &Item{size: 1, state: 1}":       "field state of Item",
		"_ = &Item{1, 1}":                    "field state of Item",
		"_ = []Item{{}, {state: 1}}":         "field state of Item",
		"_ = []*Item{{state: 1}}":            "field state of Item",
		"_ = map[string]*Item{``: {1, 1}}":   "field state of Item",
		"_ = Item{size: 1}":                  "",
		"_ = []*Item{{size: 1}, {}}":         "",
		"_ = struct{ state int }{state: 1}":  "",
		"y.k = 1; y.x = x; *y = b{}":         "",
		"l := *x; l = line{}; _ = l":         "",
		"l := x; l = nil; _ = l":             "",
		"n := x.n; n = 1; _ = n":             "",
		"it.size = 1":                        "",
		"for i := range x.list { _ = i }":    "",
		"l := &line{n: 1}; _ = l":            "",
		"n := map[string]int{}; n[``] = 1":   "",
	} {
		t.Run(code, func(t *testing.T) {
			other := "package core\nimport \"slices\"\nvar _ = slices.Delete[[]int]\n" +
				"type b struct { k int; x *line; q *fifo[int] }\nfunc (y *b) other(x *line, it *Item) {\n" + code + "\n}"
			got := planted(t, compiler, map[string]string{"line.go": line, "item.go": item, "state.go": state, "b.go": other})
			if got != want {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}

func TestWhatAFunctionOfAnotherFileSetsIsFound(t *testing.T) {
	for code, want := range map[string]string{
		"func f(x *line) { x.n = 1 }":                     "field n of line",
		"var n = func(x *line) int { x.n = 1; return 1 }": "field n of line",
		"func f(it *Item) { it.size, it.state = 1, 1 }":   "field state of Item",
		"var it = &Item{state: 1}":                        "field state of Item",
	} {
		if got := planted(t, nil, map[string]string{"line.go": line, "item.go": item, "state.go": state, "b.go": "package core\n" + code}); got != want {
			t.Errorf("%s: found %q, want %q", code, got, want)
		}
	}
}

func TestAStateThatIsSetInTheFileOfItsItemIsFound(t *testing.T) {
	code := item + "func f() Item { return Item{size: 1, state: 1} }"
	if got := planted(t, nil, map[string]string{"item.go": code, "state.go": state}); got != "field state of Item" {
		t.Errorf("found %q", got)
	}
}

// planted says which foreign writes are found in these files.
func planted(t *testing.T, compiler importer.Lookup, files map[string]string) string {
	t.Helper()
	set := token.NewFileSet()
	var parsed []*ast.File
	for name, code := range files {
		file, err := parser.ParseFile(set, name, code, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	var what []string
	for _, found := range foreignWrites(checkFiles(t, set, parsed, compiler), handedOut) {
		_, found, _ = strings.Cut(found, ": ")
		found, _, _ = strings.Cut(found, " is set by")
		what = append(what, found)
	}
	return strings.Join(what, ", ")
}
