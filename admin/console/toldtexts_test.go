package console

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2/validation"
)

// notShown are files of package admin whose refusals no page can show.
var notShown = map[string]string{
	"manual.go": "the API of spring-outbox, which pages do not call",
}

// toldOn are the arguments of refusals that say what others have written, with what
// finds it.
var toldOn = map[string]func(*toldTexts){
	"guard.go err.Error()": func(w *toldTexts) { w.calls("../strict.go", map[string]int{"errors.New": 0, "fmt.Errorf": 0}) },
	"guard.go detail":      func(*toldTexts) {}, // of tooMany, whose calls are looked at
	"pause.go err.Error()": func(w *toldTexts) { w.calls("../../driver/pause.go", map[string]int{"fmt.Errorf": 0}) },
	"letters.go \"payload: \" + dlq.ErrPayloadMatch.Error()": func(w *toldTexts) {
		w.variable("../../dlq/payload.go", "ErrPayloadMatch", "")
	},
	"operation.go err.Error()": func(w *toldTexts) {
		w.calls("../../dlq/edit.go", map[string]int{"fmt.Errorf": 0})
		w.calls("../../internal/header/header.go", map[string]int{"fmt.Errorf": 0})
		delete(w.texts, "headers are not a JSON object of strings: %s") // of what is stored, which no form writes
	},
	"operation.go strings.TrimPrefix(err.Error(), job.ErrSpec.Error() + \": \")": func(w *toldTexts) {
		w.calls("../../job/*.go", map[string]int{"bad": 0})
		w.returns("../../job/route.go", "butTo", "listed")
		w.calls("../../dlq/payload.go", map[string]int{"fmt.Errorf": 0})
	},
	"operation.go strings.TrimPrefix(job.ErrTaken.Error(), \"job: \")": func(w *toldTexts) {
		w.variable("../../job/start.go", "ErrTaken", "job: ")
	},
}

// toldTexts are texts that others write, each with the file that has it. Values are %s, %d
// and %q.
type toldTexts struct {
	t     *testing.T
	texts map[string]string
	on    map[string]bool // what was found in toldOn
}

func findTold(t *testing.T) *toldTexts { return &toldTexts{t, map[string]string{}, map[string]bool{}} }

var anyVerb = regexp.MustCompile(`%(\.\d+)?[a-z]`)

// add notes a text. A value alone is no text: what it says is found elsewhere.
func (w *toldTexts) add(file, text string) {
	text = anyVerb.ReplaceAllStringFunc(text, func(verb string) string {
		switch verb[len(verb)-1] {
		case 'd', 'q':
			return "%" + verb[len(verb)-1:]
		}
		return "%s"
	})
	if strings.TrimSpace(text) != "" && text != "%s" && text != "%s%s" {
		w.texts[text] = file
	}
}

// files calls f for the declarations of sources.
func (w *toldTexts) files(pattern string, f func(name string, d ast.Decl)) {
	w.t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		w.t.Fatalf("%s: %v, error %v", pattern, files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f(file, d)
		}
	}
}

// calls notes the texts in calls of functions, by the place of the argument.
func (w *toldTexts) calls(pattern string, functions map[string]int) {
	w.t.Helper()
	seen := map[string]bool{}
	w.files(pattern, func(file string, d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := types.ExprString(call.Fun)
			if i, ok := functions[name]; ok && len(call.Args) > i {
				seen[name] = true
				text := formatOf(call.Args[i])
				if len(call.Args) > i+1 && types.ExprString(call.Args[i+1]) == "outbox.ErrInvalidEvent" { // %w: ...
					w.add(file, "outbox: invalid event: %s")
					text = strings.TrimPrefix(text, "%w: ")
				}
				w.add(file, text)
			}
			return true
		})
	})
	for name := range functions {
		if !seen[name] {
			w.t.Errorf("%s: nothing calls %s", pattern, name)
		}
	}
}

// returns notes what functions return.
func (w *toldTexts) returns(file string, functions ...string) {
	w.t.Helper()
	before := len(w.texts)
	w.files(file, func(file string, d ast.Decl) {
		if f, ok := d.(*ast.FuncDecl); ok && slices.Contains(functions, f.Name.Name) {
			ast.Inspect(f, func(n ast.Node) bool {
				if r, ok := n.(*ast.ReturnStmt); ok {
					w.add(file, formatOf(r.Results[0]))
				}
				return true
			})
		}
	})
	if len(w.texts) == before {
		w.t.Errorf("%s: no texts of %q", file, functions)
	}
}

// variable notes the text of an error, without its prefix.
func (w *toldTexts) variable(file, name, prefix string) {
	w.t.Helper()
	found := false
	w.files(file, func(file string, d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && v.Names[0].Name == name {
				w.add(file, strings.TrimPrefix(formatOf(v.Values[0].(*ast.CallExpr).Args[0]), prefix))
				found = true
			}
			return true
		})
	})
	if !found {
		w.t.Errorf("%s has no %s", file, name)
	}
}

// formatOf is the text of an expression, with %s for what is not written there.
func formatOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); e.Kind == token.STRING && err == nil {
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return formatOf(e.X) + formatOf(e.Y)
		}
	case *ast.CallExpr:
		if types.ExprString(e.Fun) == "fmt.Sprintf" {
			return formatOf(e.Args[0])
		}
	}
	return "%s"
}

// refusal notes what an argument says.
func (w *toldTexts) refusal(file string, e ast.Expr, constants map[string]string) {
	expression := types.ExprString(e)
	what, text := filepath.Base(file)+" "+expression, cmp.Or(constants[expression], formatOf(e))
	if find := toldOn[what]; find != nil {
		w.on[what] = true
		find(w)
	} else if text == "%s" {
		w.t.Errorf("%s: say in toldOn where this text is found", what)
	}
	w.add(file, text)
}

// refusals are the texts of package admin.
func (w *toldTexts) refusals() {
	w.t.Helper()
	constants := map[string]string{}
	w.files("../*.go", func(_ string, d ast.Decl) {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			for _, s := range g.Specs {
				if v := s.(*ast.ValueSpec); len(v.Values) == 1 {
					if text := formatOf(v.Values[0]); text != "%s" {
						constants[v.Names[0].Name] = text
					}
				}
			}
		}
	})
	skipped := map[string]bool{}
	w.files("../*.go", func(file string, d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, at := types.ExprString(call.Fun), -1
			switch {
			case strings.HasPrefix(name, "huma.Error"):
				at = 0
			case name == "refuse", name == "tooMany":
				at = 2
			case name == "huma.WriteErr":
				at = 3
			}
			switch base := filepath.Base(file); {
			case at < 0:
			case notShown[base] != "":
				skipped[base] = true
			default:
				w.refusal(file, call.Args[at], constants)
			}
			return true
		})
	})
	for file := range notShown {
		if !skipped[file] {
			w.t.Errorf("%s refuses nothing", file)
		}
	}
	for what := range toldOn {
		if !w.on[what] {
			w.t.Errorf("no refusal is %s", what)
		}
	}
	w.validations()
}

// messages are what the validation of the API says, by the tag of a field.
var messages = map[string]string{
	"enum": validation.MsgExpectedOneOf, "minLength": validation.MsgExpectedMinLength, "maxLength": validation.MsgExpectedMaxLength,
	"minimum": validation.MsgExpectedMinimumNumber, "maximum": validation.MsgExpectedMaximumNumber,
	"minItems": validation.MsgExpectedMinItems, "maxItems": validation.MsgExpectedMaxItems,
}

// plainTags say nothing about values.
var plainTags = []string{"json", "query", "path", "header", "doc", "default", "contentType"}

var tagName = regexp.MustCompile(`([A-Za-z]+):"`)

func (w *toldTexts) validations() {
	used := map[string]bool{}
	w.files("../*.go", func(file string, d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			f, ok := n.(*ast.Field)
			if !ok || f.Tag == nil {
				return true
			}
			for _, m := range tagName.FindAllStringSubmatch(strings.Trim(f.Tag.Value, "`"), -1) {
				switch text := messages[m[1]]; {
				case text != "":
					used[m[1]] = true
					w.add(file, text)
				case !slices.Contains(plainTags, m[1]):
					w.t.Errorf("%s: say in messages what is wrong when %s is", file, m[1])
				}
			}
			return true
		})
	})
	if len(used) != len(messages) {
		w.t.Errorf("only %q are used", slices.Sorted(maps.Keys(used)))
	}
	w.add("huma", "validation failed; %s")
	w.add("huma", "invalid integer") // of a place in a list, which is part of an address
}
