package console

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strconv"
	"strings"
	"testing"
)

// passed are the expressions that stand for texts which are found elsewhere, or
// which the API wrote: toldtexts_test.go finds those.
var passed = map[string]bool{
	"act.go no.detail": true, "edit.go no.detail": true, "listfilter.go no.detail": true, "letters.go no.detail": true, "render.go no.detail": true,
	"call.go sentence(problem.Detail)": true, "about.go err.Error()": true, "newjob.go err.Error()": true, "stream.go no.detail": true,
	"login.go \"\"": true, "signin.go \"\"": true, "login.go problem": true, "signin.go problem": true, "login.go noRole": true, "signin.go noRole": true, "signin.go providerAway": true,
	"render.go v.Title": true, "render.go translate(v.Lang, v.Title)": true, "render.go problemText(v.Lang, v.Problem)": true, // of all views
	"done.go text": true, "done.go rest.text": true, "format.go u.name": true,
	"act.go text": true, "editform.go text": true, "editform.go translate(lang, text, args...)": true, "format.go text": true, "happening.go text": true,
	"timeline.go h.Text": true, "timeline.go string(a)": true,
}

// source is a file of the package.
type source struct {
	name string
	t    *testing.T
	all  texts
	in   ast.Node // the declaration that it is at
	used map[string]bool
}

func (all texts) inSources(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			s := source{f.Name(), t, all, d, used}
			ast.Inspect(d, s.visit)
		}
	}
	for what := range passed {
		if !used[what] {
			t.Errorf("no source passes on %s", what)
		}
	}
}

func (s source) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch types.ExprString(n.Fun) {
		case "translate", "note":
			s.text(n.Args[1])
		case "wrong":
			s.text(n.Args[min(len(n.Args)-1, 1)])
		case "c.showLogin":
			s.text(n.Args[3])
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if name.Name == "noRole" || name.Name == "providerAway" {
				s.text(n.Values[i])
			}
		}
	case *ast.ReturnStmt:
		if f, ok := s.in.(*ast.FuncDecl); ok && f.Name.Name == "redeem" {
			s.text(n.Results[0])
		}
	case *ast.CompositeLit:
		if n.Type == nil {
			break
		}
		switch types.ExprString(n.Type) {
		case "refusal":
			s.text(n.Elts[1])
		case "happening":
			s.text(n.Elts[2])
		case "view":
			for _, e := range n.Elts {
				if kv := e.(*ast.KeyValueExpr); isText(kv.Key) {
					s.text(kv.Value)
				}
			}
		}
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if len(n.Lhs) != len(n.Rhs) {
				break
			}
			if field, ok := to.(*ast.SelectorExpr); ok && isText(field.Sel) || types.ExprString(to) == "problem" {
				s.text(n.Rhs[i])
			}
		}
	}
	return true
}

// isText reports whether a field of a view is translated.
func isText(field ast.Expr) bool {
	name := types.ExprString(field)
	return name == "Title" || name == "Problem"
}

// text notes what an expression stands for.
func (s source) text(e ast.Expr) {
	found := literals(e)
	if variable, _, _ := strings.Cut(types.ExprString(e), "["); len(found) == 0 && token.IsIdentifier(variable) {
		ast.Inspect(s.in, func(n ast.Node) bool {
			if set, ok := n.(*ast.AssignStmt); ok && len(set.Lhs) == len(set.Rhs) {
				for i, to := range set.Lhs {
					if types.ExprString(to) == variable {
						found = append(found, literals(set.Rhs[i])...)
					}
				}
			}
			return true
		})
	}
	what := s.name + " " + types.ExprString(e)
	if s.used[what] = true; len(found) == 0 && !passed[what] {
		s.t.Errorf("%s: say in passed where this text is found", what)
	}
	s.all.add(s.name, found...)
}

// literals are the texts of a literal, or the values of a map of them.
func literals(e ast.Expr) (out []string) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); e.Kind == token.STRING && err == nil && text != "" {
			return []string{text}
		}
	case *ast.CompositeLit:
		for _, one := range e.Elts {
			if kv, ok := one.(*ast.KeyValueExpr); ok {
				out = append(out, literals(kv.Value)...)
			}
		}
	}
	return out
}
