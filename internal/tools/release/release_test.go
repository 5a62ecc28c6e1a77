package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rig is a module proxy of the tree, and an environment in which go finds the
// modules of this repository nowhere else.
type rig struct {
	t       *testing.T
	proxy   string
	version string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, proxy: t.TempDir(), version: fmt.Sprintf("v0.0.1-check.%d", time.Now().UnixNano())}
	t.Chdir("../../..")
	if err := run(r.version, r.proxy, false); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.forget)
	return r
}

// run runs go in a directory, outside of the workspace.
func (r *rig) run(dir string, env []string, args ...string) string {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOSUMDB=off", // nobody has sums of this version
		"GOPROXY=file://"+r.proxy+","+r.env("GOPROXY"))
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("go %s in %s: %v\n%s", strings.Join(args, " "), dir, err, out)
	}
	return string(out)
}

func (r *rig) env(name string) string {
	r.t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// forget removes the version from the module cache, where files are read-only.
func (r *rig) forget() {
	cache := r.env("GOMODCACHE")
	for _, pattern := range []string{
		"github.com/sendoff-go/*@" + r.version, "github.com/sendoff-go/outbox/*@" + r.version, "github.com/sendoff-go/outbox/*/*@" + r.version,
	} {
		dirs, _ := filepath.Glob(filepath.Join(cache, pattern))
		for _, dir := range dirs {
			_ = filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error { return os.Chmod(path, 0o755) })
			if err := os.RemoveAll(dir); err != nil {
				r.t.Error(err)
			}
		}
	}
	_ = filepath.WalkDir(filepath.Join(cache, "cache/download/github.com/sendoff-go"), func(path string, d os.DirEntry, _ error) error {
		if d != nil && !d.IsDir() && strings.HasPrefix(d.Name(), r.version+".") {
			return os.Remove(path)
		}
		return nil
	})
}

// service writes a program that uses these packages, and requires their modules.
func (r *rig) service(packages ...string) (dir string) {
	r.t.Helper()
	dir = r.t.TempDir()
	mod, source := "module example.com/service\n\ngo 1.26.0\n", "package main\n\nimport (\n"
	for _, p := range packages {
		source += fmt.Sprintf("\t_ %q\n", p)
	}
	source += ")\n\nfunc main() {}\n"
	modules, err := released(".")
	if err != nil {
		r.t.Fatal(err)
	}
	for _, m := range modules {
		for _, p := range packages {
			if m.dir != "." && p == m.path() {
				mod += fmt.Sprintf("\nrequire %s %s\n", m.path(), r.version)
			}
		}
	}
	mod += fmt.Sprintf("\nrequire %s %s\n", root, r.version)
	for name, text := range map[string]string{"go.mod": mod, "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
	return dir
}

// Whatever a go.mod requires takes part in the selection of the versions of those
// who require it, used or not.
func TestAServiceGetsTheModulesOfWhatItUses(t *testing.T) {
	r := newRig(t)
	brokers := map[string]string{
		"kafka": "github.com/twmb/franz-go", "rabbitmq": "github.com/rabbitmq/amqp091-go", "nats": "github.com/nats-io/nats.go",
		"redis": "github.com/redis/go-redis", "hazelcast": "github.com/hazelcast/", "webhooks": "github.com/standard-webhooks/", "cache": "github.com/maypok86/otter",
		"command": "github.com/spf13/cobra", "terminal": "charm.land/", "configuration": "github.com/goccy/go-yaml",
		"metrics": "github.com/prometheus/",
	}
	for name, s := range map[string]struct {
		packages []string
		uses     []string
	}{
		"SQLite and listeners":   {[]string{root, root + "/relay", root + "/store/sqlitestore"}, nil},
		"PostgreSQL and Kafka":   {[]string{root, root + "/relay", root + "/store/pgxstore", root + "/sink/kafkasink"}, []string{"kafka"}},
		"MySQL, Redis and inbox": {[]string{root, root + "/inbox", root + "/store/mysqlstore", root + "/sink/redissink", root + "/inbox/rediscache"}, []string{"redis"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := r.service(s.packages...)
			r.run(dir, nil, "mod", "tidy") // which loads every package
			graph := r.run(dir, nil, "list", "-m", "all")
			t.Logf("%d modules in the graph", strings.Count(graph, "\n")-1)
			for what, path := range brokers {
				used := false
				for _, u := range s.uses {
					used = used || u == what
				}
				if strings.Contains(graph, "\n"+path) != used {
					t.Errorf("modules of %s (%s) in the graph: %t, expected %t", what, path, !used, used)
				}
			}
		})
	}
}
