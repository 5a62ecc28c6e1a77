package console

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Bounds of a tree: a browser must be able to show it.
const (
	maxNodes     = 2000
	maxNodeDepth = 100
	maxNodeText  = 2000 // characters of a string
	openDepth    = 2
)

// node is a value of a JSON text, in the order and with the digits that it is
// written with.
type node struct {
	Name  string // quoted; "" for an element of an array and the root
	Kind  string // "object", "array", "string", "number" or "word"
	Text  string // of a leaf
	Nodes []*node
	Open  bool
}

// Empty is how an object or array without anything in it is written.
func (n *node) Empty() string {
	switch {
	case len(n.Nodes) > 0:
		return ""
	case n.Kind == "object":
		return "{}"
	case n.Kind == "array":
		return "[]"
	}
	return ""
}

// errEnough ends a tree at its bounds.
var errEnough = errors.New("enough")

// treeOf reads a JSON text; whole is false if the tree does not have all of it.
func treeOf(text string) (root *node, whole bool, err error) {
	if !json.Valid([]byte(text)) {
		return nil, false, errors.New("not JSON")
	}
	t := treeReader{json.NewDecoder(strings.NewReader(text)), 0}
	t.UseNumber()
	root = &node{}
	if err = t.value(root, 0); errors.Is(err, errEnough) {
		return root, false, nil
	}
	return root, true, err
}

type treeReader struct {
	*json.Decoder
	nodes int
}

// value reads the next value into n. The bounds leave what was read in place.
func (t *treeReader) value(n *node, depth int) error {
	if t.nodes++; t.nodes > maxNodes {
		return errEnough
	}
	token, err := t.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case json.Delim:
		return t.inside(n, v, depth)
	case string:
		n.Kind, n.Text = "string", quoted(v)
	case json.Number:
		n.Kind, n.Text = "number", v.String()
	default:
		n.Kind = "word"
		text, _ := json.Marshal(v) // true, false or null
		n.Text = string(text)
	}
	return nil
}

func (t *treeReader) inside(n *node, open json.Delim, depth int) error {
	n.Kind, n.Open = "array", depth < openDepth
	if open == '{' {
		n.Kind = "object"
	}
	for t.More() {
		if depth >= maxNodeDepth || t.nodes >= maxNodes {
			return errEnough
		}
		one := &node{}
		if n.Kind == "object" {
			name, err := t.Token()
			if err != nil {
				return err
			}
			text, _ := name.(string)
			one.Name = quoted(text)
		}
		n.Nodes = append(n.Nodes, one)
		if err := t.value(one, depth+1); err != nil {
			return err
		}
	}
	_, err := t.Token() // its end
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// quoted writes a string as JSON does, at most the beginning of it.
func quoted(text string) string {
	if runes := []rune(text); len(runes) > maxNodeText {
		return quoted(string(runes[:maxNodeText])) + " …"
	}
	return inQuotes(text)
}
