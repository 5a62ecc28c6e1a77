package console

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// alerts are the texts of package alert.
func (w *toldTexts) alerts() {
	w.t.Helper()
	w.files("../../alert/*.go", func(file string, d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok && types.ExprString(kv.Key) == "Text" {
				if !w.inAlert(file, d, kv.Value) {
					w.t.Errorf("%s: the text of an alert is not found in %s", file, types.ExprString(kv.Value))
				}
			}
			return true
		})
	})
}

// inAlert notes what an expression says, and reports whether that is anything. A
// variable says what the function sets it to; what is added to it is a text of its own,
// and a value of the first.
func (w *toldTexts) inAlert(file string, in ast.Node, e ast.Expr) (found bool) {
	for _, value := range valuesIn(e) {
		w.inAlert(file, in, value)
	}
	if text := formatOf(e); text != "%s" {
		w.add(file, text)
		return true
	}
	variable, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	first, more := []string{}, false
	ast.Inspect(in, func(n ast.Node) bool {
		set, ok := n.(*ast.AssignStmt)
		if !ok || len(set.Lhs) != len(set.Rhs) {
			return true
		}
		i := slices.IndexFunc(set.Lhs, func(to ast.Expr) bool { return types.ExprString(to) == variable.Name })
		if i < 0 || formatOf(set.Rhs[i]) == "%s" {
			return true
		}
		for _, value := range valuesIn(set.Rhs[i]) {
			if types.ExprString(value) != variable.Name {
				w.inAlert(file, in, value)
			}
		}
		if set.Tok == token.ADD_ASSIGN {
			more = true
			w.add(file, formatOf(set.Rhs[i]))
		} else {
			first = append(first, formatOf(set.Rhs[i]))
		}
		return true
	})
	for _, text := range first {
		if more {
			text += "%s"
		}
		w.add(file, text)
	}
	return len(first) > 0
}

// valuesIn are the variables that a text shows.
func valuesIn(e ast.Expr) (out []ast.Expr) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return append(valuesIn(e.X), valuesIn(e.Y)...)
	case *ast.CallExpr:
		if types.ExprString(e.Fun) == "fmt.Sprintf" {
			for _, a := range e.Args[1:] {
				if _, ok := a.(*ast.Ident); ok {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// check asks for the translation of each text, and for nothing else.
func (w *toldTexts) check(list map[string]string, also func(string) bool) {
	w.t.Helper()
	has := map[string]string{}
	for text, to := range list {
		has[strings.ReplaceAll(text, "%v", "%s")] = text
		english, chinese := verb.ReplaceAllString(text, "%s"), otherVerb.ReplaceAllString(to, "%${1}s")
		if phraseVerb.MatchString(text) && !sameArguments(english, chinese) || !phraseVerb.MatchString(text) && phraseVerb.MatchString(to) {
			w.t.Errorf("%q does not take the arguments of %q", to, text)
		}
		if !strings.ContainsFunc(to, func(r rune) bool { return unicode.Is(unicode.Han, r) }) || strings.ContainsAny(to, ",;?!") {
			w.t.Errorf("%q is not Chinese", to)
		}
	}
	for text, file := range w.texts {
		if has[text] == "" && !also(text) {
			w.t.Errorf("%s: %q has no Chinese", file, text)
		}
	}
	for text, key := range has {
		if w.texts[text] == "" {
			w.t.Errorf("%q is in Chinese, and nobody says it", key)
		}
	}
}

func TestEveryAlertIsInChinese(t *testing.T) {
	w := findTold(t)
	w.alerts()
	if len(w.texts) < 8 {
		t.Errorf("only %q were found", w.texts)
	}
	w.check(chineseAlerts, func(string) bool { return false })
}

func TestEveryRefusalOfTheAPIIsInChinese(t *testing.T) {
	w := findTold(t)
	w.refusals()
	if len(w.texts) < 80 {
		t.Errorf("only %d were found", len(w.texts))
	}
	w.check(chineseAPI, func(text string) bool { // the console says it too
		_, ok := chinese[sentence(text)]
		return ok
	})
}
