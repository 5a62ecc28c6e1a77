package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// emitter writes a configuration as YAML.
type emitter struct {
	out bytes.Buffer
	// comment is what stands before a key; none if nil.
	comment func(k *key) string
	// value is how a key is written, in place of what it holds; nil: as it is.
	value func(k *key) (string, bool)
	// whole writes secrets, too: those of the example are none.
	whole bool
}

func (e *emitter) table(v reflect.Value, k *key, indent string) {
	kind := ""
	switch s := v.Interface().(type) {
	case Sender:
		kind = s.Type
	case DefaultSender:
		kind = s.Type
	}
	for _, sub := range k.keys {
		if kind != "" && sub.senders != nil && !slices.Contains(sub.senders, kind) {
			continue
		}
		field := v.FieldByIndex(sub.field)
		if sub.kind == table && empty(field) {
			continue
		}
		if e.comment != nil {
			if c := e.comment(sub); c != "" {
				fmt.Fprintf(&e.out, "%s# %s\n", indent, c)
			}
		}
		switch sub.kind {
		case table:
			fmt.Fprintf(&e.out, "%s%s:\n", indent, sub.name)
			e.table(field, sub, indent+"  ")
		case entries:
			e.entries(field, sub, indent)
		case pairs:
			e.pairs(field, sub, indent)
		default:
			fmt.Fprintf(&e.out, "%s%s: %s\n", indent, sub.name, e.scalar(field, sub))
		}
	}
}

// empty reports whether v is a sender that nobody configured: it cannot be
// written, because a sender has a type.
func empty(v reflect.Value) bool {
	s, ok := v.Interface().(DefaultSender)
	return ok && s.Type == "" && s.BeanName == ""
}

func (e *emitter) entries(v reflect.Value, k *key, indent string) {
	m := map[string]reflect.Value{}
	for _, name := range v.MapKeys() {
		m[name.String()] = v.MapIndex(name).Elem()
	}
	if len(m) == 0 {
		fmt.Fprintf(&e.out, "%s%s: {}\n", indent, k.name)
		return
	}
	fmt.Fprintf(&e.out, "%s%s:\n", indent, k.name)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&e.out, "%s  %s:\n", indent, quote(name))
		e.table(m[name], k, indent+"    ")
	}
}

func (e *emitter) pairs(v reflect.Value, k *key, indent string) {
	if v.Len() == 0 {
		fmt.Fprintf(&e.out, "%s%s: {}\n", indent, k.name)
		return
	}
	m, _ := v.Interface().(map[string]string)
	fmt.Fprintf(&e.out, "%s%s:\n", indent, k.name)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&e.out, "%s  %s: %s\n", indent, quote(name), e.scalar(reflect.ValueOf(m[name]), k))
	}
}

func (e *emitter) scalar(v reflect.Value, k *key) string {
	if e.value != nil {
		if s, ok := e.value(k); ok {
			return s
		}
	}
	var all []string
	for _, s := range k.show(v, e.whole) {
		s = strings.ReplaceAll(s, "${", "$${")
		if k.kind == text || k.kind == pairs || k.kind == list && k.of == text {
			s = quote(s)
		}
		all = append(all, s)
	}
	if k.kind == list {
		return "[" + strings.Join(all, ", ") + "]"
	}
	return all[0]
}

var (
	plainText = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*(:[A-Za-z0-9_./-]+)*$`)
	reserved  = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
)

// quote writes a text so that it is read as one.
func quote(s string) string {
	if plainText.MatchString(s) && !slices.Contains(reserved, strings.ToLower(s)) {
		return s
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string can always be encoded
	return strings.TrimSuffix(out.String(), "\n")
}

// Print is the configuration as it is in effect, as YAML that can be read
// again. Passwords and other secrets are masked.
func (c *Config) Print() []byte {
	var e emitter
	e.out.WriteString(root.name + ":\n")
	e.table(reflect.ValueOf(c).Elem(), root, "  ")
	return e.out.Bytes()
}

// Show returns what [Config.Print] does, for people who may not read the file: it
// also leaves out the sums of secrets, from which passwords can be guessed.
func (c *Config) Show() []byte {
	shown := *c
	shown.Admin.Tokens, shown.Admin.Users = maps.Clone(c.Admin.Tokens), maps.Clone(c.Admin.Users)
	for name, t := range shown.Admin.Tokens {
		if one := *t; one.SHA256 != "" {
			one.SHA256 = masked
			shown.Admin.Tokens[name] = &one
		}
	}
	for name, u := range shown.Admin.Users {
		if one := *u; one.SHA256 != "" {
			one.SHA256 = masked
			shown.Admin.Users[name] = &one
		}
	}
	return shown.Print()
}
