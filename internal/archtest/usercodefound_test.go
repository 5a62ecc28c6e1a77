package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestCodeOfUsersIsFoundInTheCore(t *testing.T) {
	compiler := compiled(t, "fmt", "iter", "log/slog", "time", ".", "./driver")
	for code, want := range map[string]string{
		"type T struct { hook func() }":                                        "keeps hook",
		"type T struct { hooks map[string][]func() }":                          "keeps hooks",
		"type T struct { in struct { hook func() } }":                          "keeps hook",
		"type T struct { in *struct { hook func() } }":                         "keeps hook",
		"type hook func(); type T struct { h hook }":                           "keeps h",
		"type list[V any] struct { vs []V }; type T struct { l list[func()] }": "keeps l",
		"type T struct { fmt.Stringer }":                                       "keeps Stringer",
		"type T struct { s interface{ Send() } }":                              "keeps s",
		"type waiter interface{ wait() }; type T struct { w waiter }":          "keeps w",
		"type T struct { h slog.Handler }":                                     "keeps h",
		"func f() { type T struct { hook func() } }":                           "keeps hook",
		"var Hook func()":                                                           "keeps Hook",
		"func Wait(f func()) {}":                                                    "in Wait",
		"func Wait(fs ...func()) {}":                                                "in Wait",
		"func Wait(s fmt.Stringer) {}":                                              "in Wait",
		"func Wait[S fmt.Stringer](s S) {}":                                         "in Wait",
		"func All() iter.Seq[int] { return nil }":                                   "in All",
		"type t struct{}; func (t) Wait(f func()) {}":                               "in t.Wait",
		"type t func(); func (t) Wait() {}":                                         "in t.Wait",
		"type T interface{ Wait(func()) }":                                          "in T.Wait",
		"func f(x any) { x.(func())() }":                                            "looks into",
		"func f(x any) { switch x.(type) {} }":                                      "looks into",
		"func f(err error) { _, _ = err.(interface{ Timeout() bool }) }":            "looks into",
		"func f(x interface{ Do() }) { x.Do() }":                                    "calls Do",
		"func f(x interface{ Do() }) { do := x.Do; do() }":                          "calls Do",
		"func f[X interface{ Do() }](x X) { x.Do() }":                               "calls Do",
		"func f(err error) { _ = fmt.Sprintf(`%v`, err) }":                          "formats a error",
		"func f(x any) { _ = fmt.Sprintf(`%v`, x) }":                                "formats a any",
		"func f(xs []any) { _ = fmt.Sprintf(`%v`, xs...) }":                         "formats a []any",
		"type note struct { Err error }; func f(n note) { fmt.Sprintf(`%v`, n)}":    "formats a checked.note",
		"func f(k driver.OutcomeKind) { _ = fmt.Sprintf(`%v`, k) }":                 "formats a " + module + "/driver.OutcomeKind",
		"func f() { format := fmt.Sprintf; _ = format(`%v`, 1) }":                   "formats what",
		"func f(c *slog.HandlerOptions) { c.ReplaceAttr(nil, slog.Attr{}) }":        "uses ReplaceAttr",
		"func f(c slog.HandlerOptions) { g := c.ReplaceAttr; _ = g }":               "uses ReplaceAttr",
		"type T struct { slog.HandlerOptions }; func (t T) f() { t.Level.Level() }": "uses Level",

		"type Core struct{}; func (c *Core) Step(f func(c *Core)) { f(c) }":                        "",
		"type T struct { Err error; Target any; n int; at time.Time; next *T }":                    "",
		"type T struct { claimed driver.Claimed }; func f(t T) error { return t.claimed.Problem }": "",
		"func each(f func(int)) { f(1) }; func Twice() { each(func(int) {}) }":                     "",
		"type queue interface { push(int) }; func f(q queue) { q.push(1) }":                        "",
		"type State int; func f(s State, n int) { _ = fmt.Sprintf(`%s %d`, s, n) }":                "",
		"type list[V any] struct { vs []V }; func (l *list[V]) Push(v V) {}":                       "",
	} {
		t.Run(code, func(t *testing.T) {
			src := `package core
import ("fmt"; "iter"; "log/slog"; "time"; "` + module + `/driver")
var (_ iter.Seq[int]; _ fmt.Stringer; _ slog.Attr; _ time.Time; _ driver.Owner)
` + code
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, "it.go", src, 0)
			if err != nil {
				t.Fatal(err)
			}
			found := usersCode(checkFiles(t, set, []*ast.File{file}, compiler))
			if (len(found) == 0) != (want == "") || len(found) > 1 || !strings.Contains(strings.Join(found, ""), want) {
				t.Errorf("found %q, want %q", found, want)
			}
		})
	}
}
