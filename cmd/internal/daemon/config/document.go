package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// setting is one key that a source sets. Of an entry without keys it has no
// texts.
type setting struct {
	key    *key
	path   []string
	texts  []string
	places []Place // of each text
	place  Place   // of the key
	// literal texts are not expanded.
	literal bool
	// joined: the one text holds all elements of a list.
	joined bool
}

// document reads YAML against the description of the keys. It goes on after an
// error, so that all are found.
type document struct {
	source   string
	anchors  map[string]ast.Node
	merging  map[ast.Node]bool // tables whose merged ones are being read
	settings []setting
	problems Problems
	told     map[string]bool // problems, by their text: an alias shows one again
	spent    int             // tables and keys that were read, each as often as it was
	broken   bool            // it cannot be read: what it would have set is not known
}

// maxSpent bounds what is read of a document. A few lines of aliases and merged
// tables can stand for more keys than there is memory.
const maxSpent = 200_000

// spend counts what is read, and reports false once it is too much.
func (d *document) spend(n int, at ast.Node) bool {
	before := d.spent
	if d.spent += n; d.spent <= maxSpent {
		return true
	}
	if before <= maxSpent {
		d.report(d.at(at), nil, "aliases and merged tables (<<) expand to more than %d keys: write them out, or merge fewer", maxSpent)
		d.broken, d.settings = true, nil
	}
	return false
}

func newDocument(source string) *document {
	return &document{source: source, anchors: map[string]ast.Node{}, merging: map[ast.Node]bool{}, told: map[string]bool{}}
}

func (d *document) report(at Place, path []string, format string, args ...any) {
	p := Problem{Place: at, Text: fmt.Sprintf(format, args...), path: path}
	if !d.told[p.Error()] {
		d.told[p.Error()] = true
		d.problems = append(d.problems, p)
	}
}

func (d *document) at(n ast.Node) Place {
	t := n.GetToken()
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		t = m.Values[0].Key.GetToken() // its own is the first colon
	}
	return Place{d.source, t.Position.Line, t.Position.Column}
}

// readDocument reads a whole file. Other keys than outbox may begin with x-,
// to hold anchors.
func readDocument(source string, content []byte) *document {
	d := newDocument(source)
	body := d.parse(content)
	if body == nil {
		return d
	}
	top := &key{kind: table, keys: []*key{root}}
	for _, v := range d.pairs(body, top, nil) {
		name := v.Key.GetToken().Value
		switch {
		case name == root.name:
			d.table(v.Value, root, []string{root.name})
		case strings.HasPrefix(name, "x-"):
			d.anchored(v.Value)
		default:
			d.unknown(v, top, nil)
		}
	}
	return d
}

// readValue reads the twin of a key, which stands in the environment.
func readValue(source, content string, k *key, path []string) *document {
	d := newDocument(source)
	if body := d.parse([]byte(content)); body != nil {
		d.value(body, k, path, Place{Source: source})
	}
	return d
}

func (d *document) parse(content []byte) ast.Node {
	file, err := parser.ParseBytes(content, 0)
	d.broken = err != nil
	var syntax yaml.Error
	switch {
	case errors.As(err, &syntax):
		at := Place{Source: d.source}
		if t := syntax.GetToken(); t != nil {
			at.Line, at.Column = t.Position.Line, t.Position.Column
		}
		d.report(at, nil, "invalid YAML: %s", syntax.GetMessage())
		return nil
	case err != nil:
		d.report(Place{Source: d.source}, nil, "invalid YAML: %v", err)
		return nil
	}
	var body ast.Node
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case body != nil:
			d.report(d.at(doc.Body), nil, "the file holds a second document: remove the line ---")
		default:
			body = doc.Body
		}
	}
	return body
}

// unwrap follows anchors, aliases and tags to the node itself.
func (d *document) unwrap(n ast.Node) ast.Node {
	for range 100 { // an alias inside its own anchor would never end
		switch v := n.(type) {
		case *ast.AnchorNode:
			d.anchors[v.Name.GetToken().Value] = v.Value
			n = v.Value
		case *ast.TagNode:
			n = v.Value
		case *ast.AliasNode:
			target := d.anchors[v.Value.GetToken().Value]
			if target == nil {
				d.report(d.at(v), nil, "there is no anchor &%s above", v.Value.GetToken().Value)
				return nil
			}
			n = target
		default:
			return n
		}
	}
	return nil
}

// anchored takes note of the anchors below a key that is not ours.
func (d *document) anchored(n ast.Node) {
	ast.Walk(anchorVisitor{d}, n)
}

type anchorVisitor struct{ d *document }

// Visit implements [ast.Visitor].
func (v anchorVisitor) Visit(n ast.Node) ast.Visitor {
	if a, ok := n.(*ast.AnchorNode); ok {
		v.d.anchors[a.Name.GetToken().Value] = a.Value
	}
	return v
}

// pairs are the keys and values of a table, those of merged tables (<<) first,
// so that the table's own come later and count.
func (d *document) pairs(n ast.Node, k *key, path []string) []*ast.MappingValueNode {
	n = d.unwrap(n)
	var own []*ast.MappingValueNode
	switch v := n.(type) {
	case nil, *ast.NullNode:
		return nil
	case *ast.MappingNode:
		own = v.Values
	case *ast.MappingValueNode:
		own = []*ast.MappingValueNode{v}
	default:
		d.report(d.at(n), path, "%s is a table: write each of its keys on an indented line of its own%s", d.name(path), has(k))
		return nil
	}
	if !d.spend(1, n) {
		return nil
	}
	if d.merging[n] {
		d.report(d.at(n), path, "a table is merged (<<) into itself: remove this line")
		return nil
	}
	d.merging[n] = true
	defer delete(d.merging, n)
	var merged, rest []*ast.MappingValueNode
	for _, v := range own {
		if _, ok := v.Key.(*ast.MergeKeyNode); !ok {
			rest = append(rest, v)
			continue
		}
		if many, ok := d.unwrap(v.Value).(*ast.SequenceNode); ok {
			for _, one := range slices.Backward(many.Values) { // the first counts
				merged = append(merged, d.pairs(one, k, path)...)
			}
		} else {
			merged = append(merged, d.pairs(v.Value, k, path)...)
		}
	}
	all := append(merged, rest...)
	if !d.spend(len(all), n) {
		return nil
	}
	return all
}

func (d *document) name(path []string) string {
	if len(path) == 0 {
		return "the file"
	}
	return dotted(path)
}

func has(k *key) string {
	if k.keys == nil {
		return ""
	}
	return " (it has " + strings.Join(k.names(), ", ") + ")"
}
