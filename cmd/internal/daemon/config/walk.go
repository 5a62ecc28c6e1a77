package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// table reads the keys of a table.
func (d *document) table(n ast.Node, k *key, path []string) {
	for _, v := range d.pairs(n, k, path) {
		sub := k.find(v.Key.GetToken().Value)
		if sub == nil {
			d.unknown(v, k, path)
			continue
		}
		d.value(v.Value, sub, append(slices.Clip(path), sub.name), d.at(v.Key))
	}
}

// value reads what one key holds.
func (d *document) value(n ast.Node, k *key, path []string, place Place) {
	switch k.kind {
	case table:
		d.table(n, k, path)
	case entries:
		d.entries(n, k, path)
	case list:
		d.list(n, k, path, place)
	case pairs:
		d.pairsOf(n, k, path, place)
	default:
		d.scalar(n, k, path, place)
	}
}

// entries reads a table whose keys are the user's own names.
func (d *document) entries(n ast.Node, k *key, path []string) {
	for _, v := range d.pairs(n, k, path) {
		name := strings.TrimSpace(v.Key.GetToken().Value)
		at := append(slices.Clip(path), name)
		if name == "" {
			d.report(d.at(v.Key), path, "an entry of %s has no name: write the %s before the colon", dotted(path), k.entry)
			continue
		}
		d.settings = append(d.settings, setting{key: k, path: at, place: d.at(v.Key)})
		d.table(v.Value, k, at)
	}
}

// pairsOf reads a table of the user's own names and texts.
func (d *document) pairsOf(n ast.Node, k *key, path []string, place Place) {
	d.settings = append(d.settings, setting{key: k, path: path, place: place})
	for _, v := range d.pairs(n, k, path) {
		name := v.Key.GetToken().Value
		d.scalar(v.Value, k, append(slices.Clip(path), name), d.at(v.Key))
	}
}

func (d *document) scalar(n ast.Node, k *key, path []string, place Place) {
	n = d.unwrap(n)
	if n == nil || n.Type() == ast.NullType {
		return // as if it were not there
	}
	s, ok := scalarText(n)
	if !ok {
		d.report(d.at(n), path, "%s must be %s, not %s", dotted(path), k.kind, shape(n))
		return
	}
	d.settings = append(d.settings, setting{key: k, path: path, texts: []string{s}, places: []Place{d.at(n)}, place: place})
}

// list reads a sequence, or one text with commas.
func (d *document) list(n ast.Node, k *key, path []string, place Place) {
	n = d.unwrap(n)
	if n == nil || n.Type() == ast.NullType {
		return
	}
	set := setting{key: k, path: path, texts: []string{}, place: place}
	if s, ok := scalarText(n); ok {
		set.texts, set.places, set.joined = []string{s}, []Place{d.at(n)}, true
		d.settings = append(d.settings, set)
		return
	}
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		d.report(d.at(n), path, "%s must be a list, not %s: write [a, b]", dotted(path), shape(n))
		return
	}
	if !d.spend(len(seq.Values), n) {
		return
	}
	for _, item := range seq.Values {
		item = d.unwrap(item)
		s, ok := "", false
		if item != nil {
			s, ok = scalarText(item)
		}
		if !ok {
			if item != nil {
				d.report(d.at(item), path, "an element of %s must be %s, not %s", dotted(path), k.of, shape(item))
			}
			return
		}
		set.texts, set.places = append(set.texts, s), append(set.places, d.at(item))
	}
	d.settings = append(d.settings, set)
}

// unknown reports a key that does not exist, with the one that was meant.
func (d *document) unknown(v *ast.MappingValueNode, k *key, path []string) {
	name := v.Key.GetToken().Value
	where := ""
	if len(path) > 0 {
		where = " in " + dotted(path)
	}
	say := fmt.Sprintf("it has %s", strings.Join(k.names(), ", "))
	if len(path) == 0 {
		say = "all keys belong under outbox:"
	}
	if near := nearest(name, k.names()); near != "" {
		say = fmt.Sprintf("did you mean %s?", near)
	} else if other := elsewhere(name); other != "" {
		say = fmt.Sprintf("did you mean %s?", other)
	}
	d.report(d.at(v.Key), path, "unknown key %s%s: %s", name, where, say)
}

// elsewhere is the path of a key of exactly that name, in any table.
func elsewhere(name string) string {
	found := ""
	root.visit([]string{root.name}, func(path []string, k *key) {
		if found == "" && k.name == name {
			found = dotted(path)
		}
	})
	return found
}

func scalarText(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	case *ast.MappingNode:
		if len(v.Values) == 1 {
			return glued(v.Values[0])
		}
	case *ast.MappingValueNode:
		return glued(v)
	}
	return "", false
}

// glued is host:port inside braces, which the parser takes for a table: without
// a space after the colon it is a text.
func glued(v *ast.MappingValueNode) (string, bool) {
	if v.Key == nil || v.Value == nil || v.Start == nil {
		return "", false
	}
	value, ok := scalarText(v.Value)
	key, colon, at := v.Key.GetToken(), v.Start.Position, v.Value.GetToken().Position
	if !ok || key.Type == token.SingleQuoteType || key.Type == token.DoubleQuoteType {
		return "", false
	}
	if at.Line != colon.Line || at.Column != colon.Column+1 || v.Value.Type() == ast.NullType {
		return "", false
	}
	return key.Value + ":" + value, true
}

func shape(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a table"
	case *ast.SequenceNode:
		return "a list"
	}
	return "a single value"
}

// String is the kind, for people.
func (k kind) String() string {
	return [...]string{"a string", "true or false", "a whole number", "a number", "a duration", "a size", "a list", "a table", "a table", "a string"}[k]
}
