package config

import (
	"reflect"
	"strings"
)

const exampleHead = `# Every key of the configuration, with its default and a comment.
# Printed by ` + "`outbox config example`" + `. Leave out what you do not change.
#
# Durations: 500ms, 10s, 5m, 24h, 1d, PT10S, or a number of milliseconds.
# Values may hold ${VARIABLE}, ${VARIABLE:default} and ${file:/path/of/a/secret}.
# Every key has an environment variable, which overrides the file:
# OUTBOX_PUBLISHER_DEFAULTS_MAX_RETRIES is outbox.publisher.defaults.max-retries.
`

// Example is a configuration file with every key, its default, and a line on
// it. It can be run as it is.
func Example() []byte {
	c := &Config{}
	fill(reflect.ValueOf(c).Elem(), root)
	sender := root.find("publisher").find("sender")
	c.Publisher.Sender.Type = sender.find("type").example
	for _, kind := range sender.find("type").enum {
		s := &Sender{}
		fill(reflect.ValueOf(s).Elem(), root.find("publisher").find("senders"))
		s.Type = kind
		if kind == "http" {
			s.URL = "https://example.com/events"
		}
		c.Publisher.Senders["my-"+strings.ReplaceAll(kind, "_", "-")] = s
	}
	c.Publisher.Events["order-created"] = &Event{Topic: "orders", Lane: c.Publisher.Defaults}

	c.Admin.Tokens["my-token"] = &Token{Role: "viewer"} // their sums are those of no secret that anybody knows
	c.Admin.Users["my-user"] = &User{Role: "viewer"}

	told := map[string]bool{}
	e := emitter{
		whole: true,
		comment: func(k *key) string {
			if told[k.name+k.doc] {
				return "" // said where it came first
			}
			told[k.name+k.doc] = true
			if k.enum != nil {
				return k.doc + " One of: " + strings.Join(k.enum, ", ") + "."
			}
			return k.doc
		},
	}
	e.value = func(k *key) (string, bool) {
		if k.example == "" || k.name == "type" {
			return "", false
		}
		return quote(k.example), true
	}
	e.out.WriteString(exampleHead + "\n" + root.name + ":\n")
	e.table(reflect.ValueOf(c).Elem(), root, "  ")
	return e.out.Bytes()
}
