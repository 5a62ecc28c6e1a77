package archtest

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// maxFields is the number of fields at which a type knows more than one thing.
const maxFields = 21

// settings are what users or callers fill in, all at once.
var settings = []string{"Config", "LaneConfig"}

func TestNoTypeOfTheRelayHasFieldsForEverything(t *testing.T) {
	for _, dir := range []string{"relay", "relay/core"} {
		t.Run(dir, func(t *testing.T) {
			seen := 0
			for _, file := range parse(t, token.NewFileSet(), filepath.Join(root(t), filepath.FromSlash(dir))) {
				ast.Inspect(file, func(n ast.Node) bool {
					spec, ok := n.(*ast.TypeSpec)
					if !ok {
						return true
					}
					st, ok := spec.Type.(*ast.StructType)
					if !ok || slices.Contains(settings, spec.Name.Name) {
						return true
					}
					seen++
					if n := st.Fields.NumFields(); n > maxFields {
						t.Errorf("type %s has %d fields, at most %d: give those that belong together a type of their own", spec.Name.Name, n, maxFields)
					}
					return true
				})
			}
			if seen == 0 {
				t.Fatal("no type has a field: this test counts wrong")
			}
		})
	}
}
