package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Twin is the environment variable of a key: its path in capitals, with _ for
// everything that is neither letter nor digit. An empty variable is not set.
func Twin(path ...string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, strings.Join(path, "_"))
}

// environment reads the twins of keys.
type environment struct {
	vars     map[string]string
	names    map[string][]string // of the entries of a table, by its dotted path
	paths    map[string]string   // the key of each twin
	settings []setting
	problems Problems
}

// readEnvironment reads the twins of all keys, and of the keys of those entries
// that the file or the twin of their table names.
func readEnvironment(vars map[string]string, file []setting) *environment {
	e := &environment{vars: vars, names: map[string][]string{}, paths: map[string]string{}}
	e.note(file)
	e.table(root, []string{root.name})
	return e
}

// note remembers the names of entries.
func (e *environment) note(settings []setting) {
	for _, s := range settings {
		if s.key.kind == entries {
			at, name := dotted(s.path[:len(s.path)-1]), s.path[len(s.path)-1]
			if !slices.Contains(e.names[at], name) {
				e.names[at] = append(e.names[at], name)
			}
		}
	}
}

func (e *environment) table(k *key, path []string) {
	for _, sub := range k.keys {
		at := append(slices.Clip(path), sub.name)
		switch sub.kind {
		case table:
			e.table(sub, at)
		case pairs:
			if name, value, ok := e.lookup(at); ok {
				e.take(readValue(name, value, sub, at))
			}
		case entries:
			if name, value, ok := e.lookup(at); ok {
				e.take(readValue(name, value, sub, at))
			}
			for _, entry := range slices.Sorted(slices.Values(e.names[dotted(at)])) {
				e.table(sub, append(slices.Clip(at), entry))
			}
		default:
			e.scalar(sub, at)
		}
	}
}

func (e *environment) scalar(k *key, path []string) {
	name, value, ok := e.lookup(path)
	if !ok {
		return
	}
	at := Place{Source: name}
	switch {
	case k.kind == list && strings.HasPrefix(strings.TrimSpace(value), "["):
		e.take(readValue(name, value, k, path))
	default:
		e.settings = append(e.settings, setting{
			key: k, path: path, texts: []string{value}, places: []Place{at}, place: at, literal: true, joined: k.kind == list,
		})
	}
}

// take adds what a variable with YAML holds. It is not expanded: whoever wrote
// the variable had the others at hand.
func (e *environment) take(d *document) {
	for _, s := range d.settings {
		s.literal = true
		e.settings = append(e.settings, s)
	}
	e.problems = append(e.problems, d.problems...)
	e.note(d.settings)
}

func (e *environment) lookup(path []string) (name, value string, ok bool) {
	name = Twin(path...)
	value = e.vars[name]
	if other, taken := e.paths[name]; taken && value != "" {
		e.problems = append(e.problems, Problem{Place: Place{Source: name}, path: path, Text: fmt.Sprintf(
			"is ambiguous: it means both %s and %s; set them in the file, or as YAML in the variable of their table", other, dotted(path))})
		return name, "", false
	}
	e.paths[name] = dotted(path)
	return name, value, value != ""
}

// strays are variables that look like twins and are none. Those that the file
// names in ${...} are in use.
func (e *environment) strays(used map[string]bool) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(e.vars)) {
		value := e.vars[name]
		if _, twin := e.paths[name]; twin || value == "" || used[name] || !strings.HasPrefix(name, Twin(root.name)+"_") || foreign(name, value) {
			continue
		}
		say := "no key has that name"
		if near := nearest(name, slices.Collect(maps.Keys(e.paths))); near != "" {
			say += ": did you mean " + near + "?"
		}
		all = append(all, fmt.Sprintf("the environment variable %s is ignored: %s", name, say))
	}
	return all
}

// notTwins are variables of the program and of its tests.
var notTwins = regexp.MustCompile(`^OUTBOX_(CONFIG$|API_(URL|TOKEN|CA)$|TEST_|E2E_|RELAY_CHILD$)`)

// ofService are the variables that Kubernetes sets for a service whose name
// begins with outbox.
var ofService = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT\w*|PORT_[0-9]+_(TCP|UDP|SCTP)\w*)$`)

func foreign(name, value string) bool {
	return notTwins.MatchString(name) || ofService.MatchString(name) || strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://")
}
