package apitest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// Schema is what a document says of a value.
type Schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"`
	Format     string             `json:"format"`
	Enum       []any              `json:"enum"`
	Minimum    *float64           `json:"minimum"`
	Items      *Schema            `json:"items"`
	Properties map[string]*Schema `json:"properties"`
}

// Operation is one of a document.
type Operation struct {
	Method, Path string
	Description  string `json:"description"`
	Parameters   []struct {
		Name   string  `json:"name"`
		In     string  `json:"in"`
		Schema *Schema `json:"schema"`
	} `json:"parameters"`
	Body *struct {
		Content map[string]struct {
			Schema *Schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`

	types map[string]*Schema
}

// Operations returns those of a document, in order.
func Operations(t testing.TB, document string) (all []Operation) {
	t.Helper()
	var doc struct {
		Paths      map[string]map[string]Operation `json:"paths"`
		Components struct {
			Schemas map[string]*Schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal([]byte(document), &doc); err != nil {
		t.Fatalf("%v: %.200s", err, document)
	}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			op.Method, op.Path, op.types = strings.ToUpper(method), path, doc.Components.Schemas
			all = append(all, op)
		}
	}
	if len(all) == 0 {
		t.Fatal("the document has no operation")
	}
	slices.SortFunc(all, func(a, b Operation) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// String returns method and path.
func (o *Operation) String() string { return o.Method + " " + o.Path }

// Fields returns the names of query and body, and "", which stands for all of
// them.
func (o *Operation) Fields() []string {
	all := []string{""}
	for _, p := range o.Parameters {
		if p.In == "query" {
			all = append(all, p.Name)
		}
	}
	for name := range o.body("") {
		all = append(all, name)
	}
	return all
}

// Request returns path and body of a request with a text wherever the document
// allows one, and a value that fits elsewhere. only keeps a single field of query
// and body, unless it is empty.
func (o *Operation) Request(text, only string) (path, body string) {
	path, query := o.Path, url.Values{}
	for _, p := range o.Parameters {
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(text))
		case p.In == "query" && (only == "" || only == p.Name):
			query.Set(p.Name, fmt.Sprint(o.value(p.Schema, text)))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	if o.Body == nil {
		return path, ""
	}
	fields := o.body(text)
	for name := range fields {
		if only != "" && name != only && name != "status" {
			delete(fields, name)
		}
	}
	raw, _ := json.Marshal(fields) // it was made of JSON
	return path, string(raw)
}

func (o *Operation) body(text string) map[string]any {
	if o.Body == nil {
		return nil
	}
	fields, _ := o.value(o.Body.Content["application/json"].Schema, text).(map[string]any)
	return fields
}

func (o *Operation) value(s *Schema, text string) any {
	if s.Ref != "" {
		s = o.types[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
	}
	kind, _ := s.Type.(string)
	if list, ok := s.Type.([]any); ok { // or null
		kind, _ = list[0].(string)
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[len(s.Enum)-1]
	case kind == "array":
		return []any{o.value(s.Items, text)}
	case kind == "object":
		out := map[string]any{}
		for name, p := range s.Properties {
			out[name] = o.value(p, text)
		}
		return out
	case kind == "string" && s.Format == "date-time":
		return time.Now().Format(time.RFC3339)
	case kind == "string":
		return text
	case kind == "boolean":
		return false
	case s.Minimum != nil:
		return *s.Minimum
	}
	return 0
}
