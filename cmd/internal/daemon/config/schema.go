package config

import (
	"bytes"
	"encoding/json"
	"slices"
)

type object = map[string]any

// Schema is the JSON Schema of the file, for editors.
func Schema() []byte {
	top := tableSchema(&key{keys: []*key{root}})
	top["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	top["title"] = "Configuration of outbox relay"
	top["patternProperties"] = object{"^x-": object{}}
	top["$defs"] = object{
		"variable": object{"type": "string", "pattern": `\$\{.+\}`},
		"period":   object{"type": []string{"string", "integer"}, "minimum": 0, "pattern": `^([0-9.]+(ns|us|µs|ms|s|m|h|d))+$|^[0-9]+$|^[Pp]|\$\{.+\}`},
		"size":     object{"type": []string{"string", "integer"}, "minimum": 0, "pattern": `^[0-9]+ *([KMGkmg][Ii]?)?[Bb]?$|\$\{.+\}`},
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(top) // maps, texts and numbers can always be encoded
	return out.Bytes()
}

func tableSchema(k *key) object {
	properties := object{}
	for _, sub := range k.keys {
		properties[sub.name] = keySchema(sub)
	}
	return object{"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false}
}

func keySchema(k *key) object {
	var s object
	switch k.kind {
	case table:
		s = tableSchema(k)
	case entries:
		s = object{"type": []string{"object", "null"}, "additionalProperties": tableSchema(k)}
	case pairs:
		s = object{"type": []string{"object", "null"}, "additionalProperties": k.scalarSchema(text)}
	case list:
		items := k.scalarSchema(k.of)
		s = object{"anyOf": []any{object{"type": "array", "items": items}, object{"type": "string"}}}
		if k.length > 0 {
			s = object{"type": "array", "items": items, "minItems": k.length, "maxItems": k.length}
		}
	default:
		s = k.scalarSchema(k.kind)
	}
	if k.doc != "" {
		s["description"] = k.doc
	}
	if k.secret {
		s["writeOnly"] = true
	}
	if k.def != "" && k.kind != list {
		s["default"] = defaultOf(k)
	}
	return s
}

func defaultOf(k *key) any {
	if k.kind == period || k.kind == size {
		return k.def
	}
	return must(parse(k.kind, k.def))
}

func (k *key) scalarSchema(of kind) object {
	variable := object{"$ref": "#/$defs/variable"}
	switch of {
	case boolean:
		return object{"anyOf": []any{object{"type": "boolean"}, variable}}
	case integer, number:
		n := object{"type": map[kind]string{integer: "integer", number: "number"}[of]}
		for word, text := range map[string]string{"minimum": k.min, "maximum": k.max} {
			if text != "" {
				n[word] = must(parse(of, text))
			}
		}
		return object{"anyOf": []any{n, variable}}
	case period:
		return object{"$ref": "#/$defs/period"}
	case size:
		return object{"$ref": "#/$defs/size"}
	default:
		if k.enum != nil {
			return object{"anyOf": []any{object{"enum": append(slices.Clone(k.enum), "")}, variable}}
		}
		return object{"type": []string{"string", "number", "boolean"}}
	}
}
