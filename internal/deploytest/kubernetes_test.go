package deploytest

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yannh/kubeconform/pkg/validator"
)

// complaints returns what kubeconform has against the manifests of a file, and
// the kinds that it has seen.
func complaints(t *testing.T, location, text string) (against, kinds []string) {
	t.Helper()
	v, err := validator.New([]string{location}, validator.Opts{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range v.Validate("manifest.yaml", io.NopCloser(strings.NewReader(text))) {
		signature, err := result.Resource.Signature()
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, signature.Kind)
		if result.Status != validator.Valid {
			against = append(against, signature.Kind+": "+result.Err.Error())
		}
	}
	return against, kinds
}

func TestKubernetesTakesTheManifests(t *testing.T) {
	location := schemas(t, "v1/v1/ConfigMap", "apps/v1/Deployment", "policy/v1/PodDisruptionBudget")
	files, err := filepath.Glob(filepath.Join(root(t), "deploy/kubernetes/*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		against, kinds := complaints(t, location, content(t, "deploy/kubernetes/"+filepath.Base(file)))
		for _, c := range against {
			t.Errorf("%s: %s", filepath.Base(file), c)
		}
		for _, kind := range kinds {
			seen[kind] = true
		}
	}
	for _, kind := range []string{"ConfigMap", "Deployment", "PodDisruptionBudget"} {
		if !seen[kind] {
			t.Errorf("no %s was checked", kind)
		}
	}

	text := content(t, "deploy/kubernetes/outbox.yaml")
	for _, mistake := range []struct{ right, wrong string }{
		{"readinessProbe:", "readynessProbe:"},
		{"containerPort: 9464", `containerPort: "9464"`},
		{"replicas: 2", "replicas: two"},
		{"  selector:\n    matchLabels: {app.kubernetes.io/name: outbox-relay}\n  template:", "  template:"},
		{"policy/v1", "policy/v1beta1"}, // gone since 1.25
		{"- name: outbox\n", "- title: outbox\n"},
		{"maxUnavailable: 1", "maxUnavailable: [1]"},
	} {
		if against, _ := complaints(t, location, spoiled(t, text, mistake.right, mistake.wrong)); len(against) != 1 {
			t.Errorf("with %q: %q", mistake.wrong, against)
		}
	}
}
