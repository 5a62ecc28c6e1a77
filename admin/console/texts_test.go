package console

import (
	"html/template"
	"io/fs"
	"path"
	"reflect"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// texts are all texts of the pages, each with a place that has it.
type texts map[string]string

func (all texts) add(place string, some ...string) {
	for _, text := range some {
		all[text] = place
	}
}

// findTexts reads the templates and the sources. It fails the test where a text is
// passed on that it does not know.
func findTexts(t *testing.T) texts {
	t.Helper()
	all := texts{}
	for _, u := range units {
		all.add("units", u.name)
	}
	for _, text := range dones {
		all.add("dones", text)
	}
	for _, u := range undones {
		all.add("undones", u.text)
	}
	all.add("audit actions", enum(t, admin.AuditEntry{}, "Action")...) // words of the timeline
	all.inTemplates(t)
	all.inSources(t)
	return all
}

// enum are the values that the API says a field has.
func enum(t *testing.T, of any, field string) []string {
	t.Helper()
	f, ok := reflect.TypeOf(of).FieldByName(field)
	if !ok || f.Tag.Get("enum") == "" {
		t.Fatalf("%T.%s has no enum", of, field)
	}
	return strings.Split(f.Tag.Get("enum"), ",")
}

// variables are the texts that templates pass to t without writing them.
func variables(t *testing.T) map[string][]string {
	var roles, classes, rules, tabs, spans []string
	for _, r := range admin.Roles() {
		roles = append(roles, string(r))
	}
	for _, c := range []driver.FailureClass{
		driver.ClassFailed, driver.ClassPermanent, driver.ClassUnavailable, driver.ClassTimeout, driver.ClassCancelled, driver.ClassPanic,
		driver.ClassGoexit, driver.ClassCrash, driver.ClassUnroutable, driver.ClassUnreadable, // an earlier one is written
	} {
		classes = append(classes, string(c))
	}
	for _, text := range todos {
		rules = append(rules, text)
	}
	for _, tab := range (eventFilter{Status: "dead"}).tabs(admin.Status{}) {
		tabs = append(tabs, tab.Text)
	}
	for _, w := range withins {
		spans = append(spans, w.Text)
	}
	jobs := enum(t, admin.Job{}, "Action")
	return map[string][]string{
		"layout print .Person.Role":    roles,
		"layout print .":               {"light", "dark", "auto"},
		"payload print $v.Person.Role": roles,
		"letter print $v.Person.Role":  roles,
		"problem print .Person.Role":   roles,
		"payload .Class":               classes,
		"letter .":                     classes,
		"alerts .":                     rules,
		"audit .Action":                enum(t, admin.AuditEntry{}, "Action"),
		"audit .":                      admin.AuditActions(),
		"alerts $state":                admin.AlertStates(),
		"jobs .":                       admin.JobActions(),
		"jobs $state":                  admin.JobStates(),
		"job .Action":                  jobs,
		"jobs .Action":                 jobs,
		"parts print .Action":          jobs,
		"events .Text":                 append(tabs, spans...),
	}
}

func (all texts) inTemplates(t *testing.T) {
	files, err := fs.Glob(html, "html/*.tmpl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	known := variables(t)
	used := map[string]bool{}
	funcs := functions("en")
	funcs["asset"] = func(string) string { return "" }
	for _, file := range files {
		page, err := template.New("").Funcs(funcs).ParseFS(html, file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(path.Base(file), ".tmpl")
		for _, part := range page.Templates() {
			if part.Tree == nil {
				continue
			}
			eachCommand(reflect.ValueOf(part.Tree.Root), func(c *parse.CommandNode) {
				if f, ok := c.Args[0].(*parse.IdentifierNode); !ok || f.Ident != "t" {
					return
				}
				if text, ok := c.Args[1].(*parse.StringNode); ok {
					all.add(file, text.Text)
					return
				}
				variable := name + " " + c.Args[1].String()
				if used[variable] = true; known[variable] == nil {
					t.Errorf("%s: %s: say in variables which texts these are", file, c)
				}
				all.add(file, known[variable]...)
			})
		}
	}
	for variable := range known {
		if !used[variable] {
			t.Errorf("no template has the variable %s", variable)
		}
	}
}

// eachCommand calls f for the commands of a tree: its nodes have them in fields of
// many names.
func eachCommand(v reflect.Value, f func(*parse.CommandNode)) {
	switch v.Kind() {
	case reflect.Interface:
		eachCommand(v.Elem(), f)
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*parse.Tree]() {
			return
		}
		if c, ok := v.Interface().(*parse.CommandNode); ok {
			f(c)
		}
		eachCommand(v.Elem(), f)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachCommand(v.Field(i), f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachCommand(v.Index(i), f)
		}
	}
}
