package deploytest

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The API that the manifests are checked against: the description that
// Kubernetes' own module carries. Only that file of it is used, so the module is
// fetched and not required; the sum pins it, as go.sum would.
const (
	kubernetes    = "k8s.io/kubernetes@v1.36.3"
	kubernetesSum = "h1:qDQdoMiluAE2Eab6Fa52YV+WjiGz9mZFFoagEA6cI+o="
)

// definition is one type of the API, or a part of one.
type definition = map[string]any

// api returns the types of Kubernetes' API by their names.
func api(t *testing.T) map[string]definition {
	t.Helper()
	download := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", kubernetes)
	download.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	download.Dir = t.TempDir() // outside of every module
	answer, err := download.Output()
	if err != nil {
		t.Fatalf("cannot fetch %s: %v\n%s", kubernetes, err, answer)
	}
	var module struct{ Dir, Sum string }
	if err := json.Unmarshal(answer, &module); err != nil {
		t.Fatal(err)
	}
	if module.Sum != kubernetesSum {
		t.Fatalf("%s has the sum %s, want %s", kubernetes, module.Sum, kubernetesSum)
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, "api/openapi-spec/swagger.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct{ Definitions map[string]definition }
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document.Definitions
}

// schemas writes a JSON schema for each of these kinds, such as
// "apps/v1/Deployment", and returns where kubeconform finds them.
func schemas(t *testing.T, kinds ...string) string {
	t.Helper()
	types, folder := api(t), t.TempDir()
	for name, d := range types {
		kind := kindOf(d)
		if !slices.Contains(kinds, kind) {
			continue
		}
		needed := map[string]definition{}
		gather(types, name, needed)
		schema := definition{"$ref": "#/definitions/" + name, "definitions": needed}
		text, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(folder, strings.ToLower(strings.ReplaceAll(kind, "/", "-"))+".json"), text, 0o644)
	}
	return folder + "/{{ .Group }}-{{ .ResourceAPIVersion }}-{{ .ResourceKind }}.json"
}

// kindOf returns "group/version/Kind" of a type that a manifest can be, with v1
// for the group that has no name.
func kindOf(d definition) string {
	list, _ := d["x-kubernetes-group-version-kind"].([]any)
	if len(list) != 1 { // others, such as DeleteOptions, belong to every group
		return ""
	}
	id, _ := list[0].(map[string]any)
	group, _ := id["group"].(string)
	version, _ := id["version"].(string)
	kind, _ := id["kind"].(string)
	if group == "" {
		group = version
	}
	return group + "/" + version + "/" + kind
}

// gather adds a type, and all that it refers to, in their strict form.
func gather(types map[string]definition, name string, needed map[string]definition) {
	if _, there := needed[name]; there {
		return
	}
	strict := tighten(types[name]).(definition)
	needed[name] = strict
	for _, reference := range references(strict) {
		gather(types, strings.TrimPrefix(reference, "#/definitions/"), needed)
	}
}

func references(v any) (found []string) {
	switch v := v.(type) {
	case definition:
		for key, inner := range v {
			if text, ok := inner.(string); ok && key == "$ref" {
				found = append(found, text)
			}
			found = append(found, references(inner)...)
		}
	case []any:
		for _, inner := range v {
			found = append(found, references(inner)...)
		}
	}
	return found
}

// tighten returns the description as a JSON schema: an object has no fields but
// those that it names, and what the API calls a string although it takes numbers
// too takes both.
func tighten(v any) any {
	switch v := v.(type) {
	case definition:
		out := maps.Clone(v)
		for key, inner := range v {
			out[key] = tighten(inner)
		}
		if _, named := v["properties"].(definition); named && v["additionalProperties"] == nil && v["type"] == "object" {
			out["additionalProperties"] = false
		}
		if text, _ := v["description"].(string); v["format"] == "int-or-string" || strings.HasPrefix(text, "Quantity is a fixed-point") {
			out["type"] = []any{"string", "number"}
			delete(out, "format")
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = tighten(inner)
		}
		return out
	default:
		return v
	}
}
