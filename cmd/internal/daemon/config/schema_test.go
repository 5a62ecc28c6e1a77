package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"
)

// fits is as much of JSON Schema as ours uses.
func fits(t *testing.T, top, s object, v any) bool {
	t.Helper()
	if ref, ok := s["$ref"].(string); ok {
		return fits(t, top, top["$defs"].(object)[filepath.Base(ref)].(object), v)
	}
	if several, ok := s["anyOf"].([]any); ok {
		return slices.ContainsFunc(several, func(one any) bool { return fits(t, top, one.(object), v) })
	}
	if enum, ok := s["enum"].([]any); ok {
		return slices.Contains(enum, v)
	}
	if types, ok := s["type"].([]any); ok && !slices.Contains(types, any(typeName(v))) {
		return false
	} else if one, ok := s["type"].(string); ok && one != typeName(v) && (one != "number" || typeName(v) != "integer") {
		return false
	}
	switch v := v.(type) {
	case string:
		pattern, ok := s["pattern"].(string)
		return !ok || regexp.MustCompile(pattern).MatchString(v)
	case float64:
		least, ok := s["minimum"].(float64)
		return !ok || v >= least
	case []any:
		for _, item := range v {
			if !fits(t, top, s["items"].(object), item) {
				return false
			}
		}
	case map[string]any:
		return objectFits(t, top, s, v)
	}
	return true
}

func objectFits(t *testing.T, top, s object, v map[string]any) bool {
	t.Helper()
	properties, _ := s["properties"].(object)
	for name, value := range v {
		sub, ok := properties[name].(object)
		if !ok {
			sub, ok = s["additionalProperties"].(object)
		}
		if !ok || !fits(t, top, sub, value) {
			t.Logf("%s: %v", name, value)
			return false
		}
	}
	return true
}

func typeName(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func asJSON(t *testing.T, content []byte) any {
	t.Helper()
	text, err := yaml.YAMLToJSON(content)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTheSchemaAcceptsWhatTheParserAcceptsAndRefusesTypos(t *testing.T) {
	var schema object
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("testdata/manual/*.yaml")
	for _, file := range append(files, repository+"outbox.example.yaml") {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !fits(t, schema, schema, asJSON(t, content)) {
			t.Errorf("the schema refuses %s", file)
		}
	}
	for i, wrong := range []string{
		"outbx: {}", "outbox: {publisher: {defaults: {batchSize: 5}}}", "outbox: {lease: long}",
		"outbox: {publisher: {sender: {type: rabbit}}}", "outbox: {publisher: {events: {a: {topic: [x]}}}}",
		"outbox: {publisher: {enabled: 5}}", "outbox: {publisher: {defaults: {batch-size: 0}}}",
	} {
		if fits(t, schema, schema, asJSON(t, []byte(wrong))) {
			t.Error(fmt.Sprintf("the schema accepts case %d: ", i) + wrong)
		}
	}
}

func TestTheSchemaTellsOfEveryKey(t *testing.T) {
	var schema object
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	root.visit([]string{"outbox"}, func(path []string, k *key) {
		s := schema
		for _, name := range path {
			if name == "*" {
				s = s["additionalProperties"].(object)
			} else {
				s = s["properties"].(object)[name].(object)
			}
		}
		if s["description"] != k.doc && path[len(path)-1] != "*" {
			t.Errorf("%s: %v", dotted(path), s)
		}
	})
}
