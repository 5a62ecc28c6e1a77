package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Load reads a file and the environment, which is in the form of [os.Environ]
// and counts where both set a key. With an empty path it reads the environment
// alone. Its error is [Problems].
//
// Notes say what was set and has no effect here, or will surprise.
func Load(path string, environ []string) (c *Config, notes []string, err error) {
	if path == "" {
		return Read("", nil, environ)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, nil, Problems{{Place: Place{Source: path}, Text: fmt.Sprintf("cannot read the file: %v", err)}}
	}
	return Read(path, content, environ)
}

// Read is [Load] for the content of a file, whose path names it in problems and
// is what other paths in it are relative to.
func Read(path string, content []byte, environ []string) (c *Config, notes []string, err error) {
	vars := map[string]string{}
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok {
			vars[name] = value
		}
	}
	d := readDocument(path, content)
	e := readEnvironment(vars, d.settings)
	l := &loader{
		config:   &Config{source: path, origins: map[string]Place{}},
		expander: expander{vars, filepath.Dir(path), map[string]bool{}},
		problems: append(d.problems, e.problems...),
	}
	fill(reflect.ValueOf(l.config).Elem(), root)
	l.apply(append(d.settings, e.settings...))
	l.config.lend()
	if !d.broken {
		l.check()
	}
	if len(l.problems) > 0 {
		l.problems.Sort()
		return nil, nil, l.problems
	}
	return l.config, append(l.config.notes(), e.strays(l.expander.used)...), nil
}

// lend gives the sender that bean-name chooses the timeout that stands beside
// bean-name, unless it has one.
func (c *Config) lend() {
	p := &c.Publisher
	s := p.Senders[p.Sender.BeanName]
	if s != nil && c.Was("publisher.sender.emergency-timeout") && !c.Was(dotted([]string{"publisher", "senders", p.Sender.BeanName})+".emergency-timeout") {
		s.EmergencyTimeout = p.Sender.EmergencyTimeout
	}
}

type loader struct {
	config   *Config
	expander expander
	problems Problems
}

// apply assigns settings. Those of entries come last, because an event begins
// as a copy of the defaults.
func (l *loader) apply(settings []setting) {
	for _, inEntry := range []bool{false, true} {
		for _, s := range settings {
			if ofEntry(s.path) == inEntry {
				l.assign(s)
			}
		}
	}
}

func ofEntry(path []string) bool {
	k := root
	for _, name := range path[1:] {
		switch k.kind {
		case entries:
			return true
		case pairs:
			return false
		default:
			k = k.find(name)
		}
	}
	return k.kind == entries
}

func (l *loader) assign(s setting) {
	l.config.origins[dotted(s.path[1:])] = s.place
	field := l.locate(s.path[1:])
	if len(s.texts) == 0 && s.key.kind != list {
		return // it exists now
	}
	texts, ok := l.expand(s)
	if !ok {
		return
	}
	v, wrong, err := s.key.value(texts)
	if err != nil {
		at, quoted := s.place, ""
		if s.joined {
			wrong = min(wrong, 0)
		}
		if wrong >= 0 {
			at = s.places[wrong]
			if !s.key.secret && !s.key.url && !s.key.destination {
				quoted = fmt.Sprintf(" %q", s.texts[wrong]) // never what a file or another variable held
			}
		}
		l.problem(at, s.path, "%s%s: %v", dotted(s.path), quoted, err)
		return
	}
	if s.key.kind == pairs {
		field.SetMapIndex(reflect.ValueOf(s.path[len(s.path)-1]), reflect.ValueOf(v))
		return
	}
	field.Set(reflect.ValueOf(v))
}

// expand is the texts of a setting with variables and files in place, one for
// each element of a list.
func (l *loader) expand(s setting) (texts []string, ok bool) {
	texts = slices.Clone(s.texts)
	for i, t := range s.texts {
		if s.literal {
			break
		}
		expanded, err := l.expander.expand(t)
		if err != nil {
			l.problem(s.places[i], s.path, "%s: %v", dotted(s.path), err)
			return nil, false
		}
		texts[i] = expanded
	}
	if s.joined {
		texts = split(texts[0])
	}
	return texts, true
}

// split takes a list apart at its commas. Where there is a login, a comma may be
// part of a password, half of which nothing would mask: then only one before
// another URL counts.
func split(list string) []string {
	if !strings.Contains(list, "@") {
		parts := strings.Split(list, ",")
		for i, part := range parts {
			parts[i] = strings.TrimSpace(part)
		}
		return parts
	}
	var parts []string
	for {
		at := nextURL.FindStringIndex(list)
		if at == nil {
			return append(parts, strings.TrimSpace(list))
		}
		parts, list = append(parts, strings.TrimSpace(list[:at[0]])), strings.TrimSpace(list[at[0]+1:])
	}
}

func (l *loader) problem(at Place, path []string, format string, args ...any) {
	l.problems = append(l.problems, Problem{Place: at, Text: fmt.Sprintf(format, args...), path: path})
}

// locate is the field of a path; entries on the way are made.
func (l *loader) locate(path []string) reflect.Value {
	v, k := reflect.ValueOf(l.config).Elem(), root
	for i := 0; i < len(path); i++ {
		k = k.find(path[i])
		v = v.FieldByIndex(k.field)
		switch {
		case k.kind == pairs:
			return v
		case k.kind == entries && i+1 < len(path):
			i++
			v = l.entry(v, k, path[i]).Elem()
		}
	}
	return v
}

func (l *loader) entry(m reflect.Value, k *key, name string) reflect.Value {
	if found := m.MapIndex(reflect.ValueOf(name)); found.IsValid() {
		return found
	}
	made := reflect.New(m.Type().Elem().Elem())
	fill(made.Elem(), k)
	if e, ok := made.Interface().(*Event); ok {
		e.Lane = l.config.Publisher.Defaults
	}
	m.SetMapIndex(reflect.ValueOf(name), made)
	return made
}

// fill sets the defaults of a table.
func fill(v reflect.Value, k *key) {
	for _, sub := range k.keys {
		field := v.FieldByIndex(sub.field)
		switch {
		case sub.kind == table:
			fill(field, sub)
		case sub.kind == entries || sub.kind == pairs:
			field.Set(reflect.MakeMap(field.Type()))
		case sub.def != "":
			texts := []string{sub.def}
			if sub.kind == list {
				texts = words(sub.def)
			}
			value, _, err := sub.value(texts)
			field.Set(reflect.ValueOf(must(value, err)))
		}
	}
}
