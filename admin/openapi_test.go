package admin_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/admin"
)

var update = flag.Bool("update", false, "write openapi.json")

// The document in the repository is the one that is served.
func TestTheOpenAPIDocumentIsKept(t *testing.T) {
	r := newRig(t)
	a := r.send(admin.Viewer, "GET", "/api/openapi.json", "")
	r.want(200, a, nil)
	var now bytes.Buffer
	if err := json.Indent(&now, []byte(a.text), "", "  "); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", now.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, now.Bytes()) {
		t.Error("openapi.json is not what is served: run go test ./admin -run OpenAPI -update, and see whether clients still work")
	}
}

func TestTheOpenAPIDocumentHasEveryRoute(t *testing.T) {
	r := newRig(t)
	var doc struct {
		OpenAPI string                                `json:"openapi"`
		Paths   map[string]map[string]json.RawMessage `json:"paths"`
	}
	r.want(200, r.send(admin.Viewer, "GET", "/api/openapi.json", ""), &doc)
	var described, tested []string
	for path, methods := range doc.Paths {
		for method := range methods {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	for _, route := range routes {
		tested = append(tested, route.method+" "+strings.Replace(route.path, "/x", "/{id}", 1))
	}
	slices.Sort(described)
	slices.Sort(tested)
	if !slices.Equal(described, tested) || !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("described %q, tested %q, version %s", described, tested, doc.OpenAPI)
	}
}
