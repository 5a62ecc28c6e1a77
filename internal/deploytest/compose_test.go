package deploytest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// compose reads a file as docker compose does: with its schema, and with the
// checks of what services, volumes and networks say about each other.
func compose(ctx context.Context, text string, folder string) (*types.Project, error) {
	return loader.LoadWithContext(ctx, types.ConfigDetails{
		WorkingDir:  folder,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(folder, "compose.yaml"), Content: []byte(text)}},
		Environment: types.Mapping{},
	}, func(o *loader.Options) { o.SetProjectName("outbox", true) })
}

func TestComposeTakesItsFile(t *testing.T) {
	text, folder := content(t, "deploy/compose.yaml"), filepath.Join(root(t), "deploy")
	project, err := compose(t.Context(), text, folder)
	if err != nil {
		t.Fatal(err)
	}
	names := project.ServiceNames()
	slices.Sort(names)
	if want := []string{"kafka", "outbox", "postgres", "topics"}; !slices.Equal(names, want) {
		t.Errorf("services %q, want %q", names, want)
	}
	build := project.Services["outbox"].Build
	if build == nil || build.Context != root(t) {
		t.Fatalf("outbox is built in %+v, want %s", build, root(t))
	}
	if _, err := os.Stat(filepath.Join(build.Context, build.Dockerfile)); err != nil {
		t.Error(err)
	}

	for _, mistake := range []struct{ right, wrong string }{
		{"stop_grace_period:", "stop_grace:"},
		{"retries: 20", "retries: many"},
		{"service_healthy", "service_well"},
		{"{topics: {", "{topic: {"},
		{"volumes:\n  postgres:\n", ""},
		{"${POSTGRES_PASSWORD:-shop}", "${POSTGRES_PASSWORD"},
	} {
		if _, err := compose(t.Context(), spoiled(t, text, mistake.right, mistake.wrong), folder); err == nil {
			t.Errorf("it takes %q", mistake.wrong)
		}
	}
}
