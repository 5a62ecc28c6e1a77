package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pureImports are what the relay's core may import.
var pureImports = []string{"errors", "fmt", "slices", "time", module, module + "/driver"}

// pureFuncs are the functions and methods of other packages that the core may use: they
// compute values, and neither wait, tell the time nor depend on chance.
var pureFuncs = []string{
	"errors.New",
	"fmt.Sprintf",
	"slices.Backward", "slices.BinarySearchFunc", "slices.Chunk", "slices.Clone", "slices.Contains", "slices.ContainsFunc",
	"slices.Delete", "slices.DeleteFunc", "slices.Insert",
	"(time.Time).Add", "(time.Time).After", "(time.Time).Before", "(time.Time).Compare", "(time.Time).Equal",
	"(time.Time).IsZero", "(time.Time).Round", "(time.Time).Sub", "(time.Time).UnixNano",
	"(" + module + ".Event).Delayed", "(" + module + ".Event).Payload", "(" + module + ".Event).Size", "(" + module + ".Written).Hot",
	module + "/driver.AgeBucket", module + "/driver.ParseFailures",
}

func TestTheRelaysCoreDoesNoIO(t *testing.T) {
	for _, wrong := range impurities(check(t, "relay/core")) {
		t.Error(wrong)
	}
}

// impurities lists what a package does that the core must not do. It looks at what names
// mean, under whatever name a package is imported.
func impurities(p *typed) (found []string) {
	note := func(n ast.Node, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s: the core ", p.set.Position(n.Pos()))+fmt.Sprintf(format, args...))
	}
	for _, file := range p.files {
		for _, imp := range file.Imports {
			if path, _ := strconv.Unquote(imp.Path.Value); !slices.Contains(pureImports, path) {
				note(imp, "imports %s", path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType, *ast.SendStmt:
				note(n, "is for one goroutine, and waits for nothing")
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					note(n, "is for one goroutine, and waits for nothing")
				}
			case *ast.RangeStmt:
				if _, waits := p.info.TypeOf(n.X).Underlying().(*types.Chan); waits {
					note(n, "is for one goroutine, and waits for nothing")
				}
			case *ast.Ident:
				if what := impure(p.pkg, p.info.Uses[n]); what != "" {
					note(n, "uses %s, which is not in the list of what it may use", what)
				}
			}
			return true
		})
	}
	return found
}

// impure names a function or variable that the core must not use, or returns "".
func impure(own *types.Package, o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		if o.Pkg() != own && !slices.Contains(pureFuncs, o.FullName()) {
			return o.FullName()
		}
	case *types.Var:
		if o.Pkg() != own && !o.IsField() {
			return o.Pkg().Path() + "." + o.Name()
		}
	case *types.Builtin:
		if slices.Contains([]string{"close", "panic", "print", "println", "recover"}, o.Name()) {
			return o.Name()
		}
	}
	return ""
}

func TestWhatIsNotPureIsFound(t *testing.T) {
	compiler := compiled(t, "fmt", "log/slog", "time", "./driver")
	for name, c := range map[string]struct{ imports, code, want string }{
		"a clock":                    {`"time"`, "_ = time.Now()", "time.Now"},
		"a clock under a name":       {`clock "time"`, "_ = clock.Now()", "time.Now"},
		"a clock without a name":     {`. "time"`, "_ = Now()", "time.Now"},
		"a clock as a value":         {`"time"`, "f := time.Since; _ = f", "time.Since"},
		"a timer":                    {`"time"`, "var t *time.Timer; t.Stop()", "(*time.Timer).Stop"},
		"printing":                   {`"fmt"`, "fmt.Println()", "fmt.Println"},
		"printing without an import": {"", "println()", "println"},
		"chance":                     {`"` + module + `"`, "_ = outbox.NewID()", module + ".NewID"},
		"a name of its own":          {`"` + module + `/driver"`, `_ = driver.NewOwner("")`, module + "/driver.NewOwner"},
		"what others may change":     {`"` + module + `/driver"`, `_ = driver.ErrUnroutable`, module + "/driver.ErrUnroutable"},
		"the text of an error":       {"", `var err error; _ = err.Error()`, "(error).Error"},
		"a channel of others":        {`"time"`, "var t time.Timer; <-t.C", "one goroutine"},
		"a loop over one":            {`"time"`, "var t time.Timer; for range t.C {}", "one goroutine"},
		"a panic":                    {"", "panic(1)", "panic"},
		"a goroutine":                {"", "go func() {}()", "one goroutine"},
		"a package":                  {`_ "log/slog"`, "", "imports log/slog"},
	} {
		t.Run(name, func(t *testing.T) {
			imports := ""
			if c.imports != "" {
				imports = "import " + c.imports
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, "it.go", "package core\n"+imports+"\nfunc f() {\n"+c.code+"\n}", 0)
			if err != nil {
				t.Fatal(err)
			}
			found := impurities(checkFiles(t, set, []*ast.File{file}, compiler))
			if len(found) != 1 || !strings.Contains(found[0], c.want) {
				t.Errorf("found %q, want %s", found, c.want)
			}
		})
	}
}

// parse parses the files of a package, without its tests.
func parse(t *testing.T, set *token.FileSet, dir string) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		t.Fatalf("there is no package in %s", dir)
	}
	return files
}
