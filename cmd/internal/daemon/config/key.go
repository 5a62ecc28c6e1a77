package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// kind is what a key holds.
type kind int

const (
	text    kind = iota // string
	boolean             // bool
	integer             // int
	number              // float64
	period              // Duration
	size                // Size
	list                // of one of the above
	table               // keys of its own
	entries             // names that the user chooses, each with a table
	pairs               // names that the user chooses, each with a text
)

// key describes one key of the file.
type key struct {
	name    string
	kind    kind
	of      kind  // the elements of a list
	field   []int // the index of the struct's field
	entry   string
	doc     string
	def     string
	example string
	enum    []string
	senders []string // the sender types that have it; none: all
	unused  string   // why it has no effect
	min     string
	max     string
	length  int
	secret  bool
	url     bool
	// destination is shown as [driver.DestinationName] says.
	destination bool
	keys        []*key // of a table, or of each entry
}

// root describes the table under `outbox:`.
var root = &key{name: "outbox", kind: table, keys: keysOf(reflect.TypeFor[Config]())}

// keysOf reads the tags of a struct. Embedded structs give their keys to it.
func keysOf(t reflect.Type) []*key {
	var keys []*key
	for _, f := range reflect.VisibleFields(t) {
		name := f.Tag.Get("yaml")
		if name == "" {
			continue
		}
		k := &key{
			name: name, field: f.Index, entry: f.Tag.Get("entry"),
			doc: f.Tag.Get("doc"), def: f.Tag.Get("default"), example: f.Tag.Get("example"),
			enum: words(f.Tag.Get("enum")), senders: words(f.Tag.Get("for")), unused: f.Tag.Get("unused"),
			min: f.Tag.Get("min"), max: f.Tag.Get("max"),
			secret: f.Tag.Get("secret") != "", url: f.Tag.Get("url") != "", destination: f.Tag.Get("destination") != "",
		}
		if n := f.Tag.Get("len"); n != "" {
			k.length = must(parseInteger(n))
		}
		if k.unused != "" {
			k.doc = "Accepted and ignored: " + k.unused + "."
		}
		k.kind = kindOf(f.Type)
		switch k.kind {
		case list:
			k.of = kindOf(f.Type.Elem())
		case table:
			k.keys = keysOf(f.Type)
		case entries:
			k.keys = keysOf(f.Type.Elem().Elem())
		default:
		}
		keys = append(keys, k)
	}
	return keys
}

func kindOf(t reflect.Type) kind {
	switch t {
	case reflect.TypeFor[Duration]():
		return period
	case reflect.TypeFor[Size]():
		return size
	}
	switch t.Kind() {
	case reflect.String:
		return text
	case reflect.Bool:
		return boolean
	case reflect.Int:
		return integer
	case reflect.Float64:
		return number
	case reflect.Slice:
		return list
	case reflect.Struct:
		return table
	case reflect.Map: // of texts, or of pointers to structs
		if t.Elem().Kind() == reflect.String {
			return pairs
		}
		return entries
	default:
		panic(fmt.Sprintf("config: no kind for %s", t))
	}
}

func words(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// find is the key of that name in a table, or nil.
func (k *key) find(name string) *key {
	i := slices.IndexFunc(k.keys, func(sub *key) bool { return sub.name == name })
	if i < 0 {
		return nil
	}
	return k.keys[i]
}

func (k *key) names() []string {
	var all []string
	for _, sub := range k.keys {
		all = append(all, sub.name)
	}
	return all
}

// visit calls f for every key below k, with its path. The name of an entry is
// shown as *.
func (k *key) visit(path []string, f func(path []string, k *key)) {
	for _, sub := range k.keys {
		at := append(slices.Clip(path), sub.name)
		f(at, sub)
		if sub.kind == entries {
			at = append(at, "*")
		}
		sub.visit(at, f)
	}
}

// dotted shows a path; names with dots of their own are set apart.
func dotted(path []string) string {
	var out strings.Builder
	for i, name := range path {
		switch {
		case strings.ContainsAny(name, ". "):
			fmt.Fprintf(&out, "[%s]", name)
		case i > 0:
			out.WriteString("." + name)
		default:
			out.WriteString(name)
		}
	}
	return out.String()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
