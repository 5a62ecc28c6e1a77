package archtest

import (
	"bufio"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/sendoff-go/outbox"

type pkg struct {
	ImportPath string
	Dir        string
	Doc        string
	Name       string
	Imports    []string
	Standard   bool
}

// packages lists the packages of the module, without their tests.
func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,Name,Imports", "work")
	cmd.Dir = root(t)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var ps []pkg
	for dec := json.NewDecoder(out); ; {
		var p pkg
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return ps
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// rule says what packages under a prefix may import of the module, and of
// other modules. The longest prefix that fits a package counts.
type rule struct {
	of      string
	own     []string // of this module; "" is package outbox
	foreign []string // prefixes of other modules
}

var rules = []rule{
	{of: "", own: leaves, foreign: []string{"github.com/oklog/ulid"}},
	{of: "driver", own: append(leaves, "")},
	{of: "observe", own: []string{""}},
	{of: "observe/internal/signals", own: []string{"", "driver", "observe"}},
	{of: "observe/otel", own: []string{"", "driver", "inbox", "observe", "observe/internal/signals", "relay"}, foreign: []string{"go.opentelemetry.io/otel"}},
	{of: "observe/otel/otlp", foreign: []string{"go.opentelemetry.io/otel"}},
	{of: "observe/prom", own: []string{"", "driver", "observe", "observe/internal/signals"}, foreign: []string{"github.com/prometheus/client_golang"}},
	{of: "retry"},
	{of: "relay", own: []string{"", "relay/core", "driver", "observe", "retry", "internal/nearest"}},
	{of: "relay/core", own: []string{"", "driver"}},
	{of: "inbox", own: []string{"", "driver", "internal/backoff", "internal/watch", "observe"}},
	{of: "alert", own: []string{"driver"}},
	{of: "job", own: []string{"", "dlq", "driver", "internal/backoff"}},
	{of: "dlq", own: []string{"", "driver"}},
	{of: "admin", own: []string{"", "driver", "dlq", "job"}, foreign: []string{"github.com/danielgtaylor/huma"}},
	{of: "admin/console", own: []string{"admin", "admin/rates", "driver"}},
	{of: "admin/rates", own: []string{"admin", "driver"}},
	{of: "admin/oidc", own: []string{"admin"}, foreign: []string{"github.com/coreos/go-oidc", "golang.org/x/oauth2"}},
	{of: "admin/internal/clienttest"},
	{of: "storetest", own: []string{"", "driver"}, foreign: []string{"pgregory.net/rapid"}},
	{of: "sinktest", own: []string{"", "driver"}},
	{of: "outboxtest", own: []string{"", "driver", "observe", "retry"}},
	{of: "store", own: []string{"", "store/sqlstore", "driver"}},
	{of: "store/internal/transport"},
	{of: "store/internal/stored", own: []string{""}},
	{of: "store/memstore", own: []string{"", "driver"}},
	{of: "store/sqlstore", own: []string{"", "internal/backoff", "store/internal/stored", "store/internal/transport", "driver"}},
	{of: "store/tidbstore", own: []string{"store/mysqlstore", "store/sqlstore"}},
	{of: "store/hazelcaststore", own: []string{"", "driver", "internal/membererr"}, foreign: []string{"github.com/hazelcast/hazelcast-go-client"}},
	{of: "store/pgxstore", own: []string{"", "store/internal/stored", "store/internal/transport", "store/pgstore", "store/sqlstore", "driver"}, foreign: []string{"github.com/jackc/pgx"}},
	{of: "sink", own: []string{"", "driver"}},
	{of: "sink/internal/certhint"},
	{of: "sink/internal/failed"},
	{of: "sink/internal/keyrow", own: []string{"", "driver"}},
	{of: "sink/kafkasink", own: []string{"", "sink/internal/certhint", "sink/internal/failed", "driver"}, foreign: []string{"github.com/twmb/franz-go"}},
	{of: "sink/rabbitsink", own: []string{"", "sink/internal/certhint", "sink/internal/keyrow", "driver"}, foreign: []string{"github.com/rabbitmq/amqp091-go"}},
	{of: "sink/natssink", own: []string{"", "sink/internal/certhint", "sink/internal/failed", "sink/internal/keyrow", "driver"}, foreign: []string{"github.com/nats-io/nats.go"}},
	{of: "sink/redissink", own: []string{"", "sink/internal/certhint", "sink/internal/keyrow", "driver"}, foreign: []string{"github.com/redis/go-redis"}},
	{of: "sink/hazelcastsink", own: []string{"", "internal/membererr", "sink/internal/certhint", "sink/internal/keyrow", "driver"}, foreign: []string{"github.com/hazelcast/hazelcast-go-client"}},
	{of: "sink/httpsink", own: []string{"", "sink/internal/keyrow", "driver"}, foreign: []string{"github.com/standard-webhooks/standard-webhooks"}},
	{of: "inboxtest", own: []string{"", "inbox", "driver"}, foreign: []string{"pgregory.net/rapid"}},
	{of: "inbox/rediscache", own: []string{"", "inbox", "driver"}, foreign: []string{"github.com/redis/go-redis"}},
	{of: "inbox/ottercache", own: []string{"", "inbox", "driver"}, foreign: []string{"github.com/maypok86/otter"}},
	{of: "internal", own: []string{"*"}, foreign: []string{"*"}},
	{of: "internal/archtest"},
	{of: "internal/backoff"},
	{of: "internal/header"},
	{of: "internal/inner"},
	{of: "internal/masked"},
	{of: "internal/membererr"},
	{of: "internal/watch"},
	{of: "cmd", own: []string{"*"}, foreign: []string{"*"}},
	{of: "e2e", own: []string{"*"}, foreign: []string{"*"}},
	{of: "examples", own: []string{"*"}, foreign: []string{"*"}},
}

// leaves are small packages on the standard library alone that package outbox
// shares with package driver or inbox, so that their functions are nobody
// else's.
var leaves = []string{"internal/header", "internal/inner", "internal/masked", "internal/watch"}

func ruleFor(path string) rule {
	best := rule{of: "?"}
	for _, r := range rules {
		fits := r.of == path || (r.of != "" && strings.HasPrefix(path, r.of+"/"))
		if fits && (best.of == "?" || len(r.of) > len(best.of)) {
			best = r
		}
	}
	return best
}

func TestPackagesImportOnlyWhatTheirPlaceAllows(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		r := ruleFor(path)
		if r.of == "?" {
			t.Errorf("package %s has no place in the house: give it a rule here, or move it", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if own, ok := strings.CutPrefix(imp, module); ok {
				if own = strings.TrimPrefix(own, "/"); !allowed(r.own, own, false) {
					t.Errorf("%s imports %s: %q packages may import %q of this module", p.ImportPath, imp, r.of, r.own)
				}
			} else if strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") && !allowed(r.foreign, imp, true) {
				t.Errorf("%s imports %s: %q packages may import %q of others", p.ImportPath, imp, r.of, r.foreign)
			}
		}
	}
}

func allowed(list []string, path string, prefix bool) bool {
	for _, a := range list {
		if a == "*" || a == path || (prefix && strings.HasPrefix(path, a)) {
			return true
		}
	}
	return false
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		if p.Doc == "" {
			t.Errorf("package %s has no package comment", p.ImportPath)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "doc.go")); err != nil && p.Name != "main" {
			t.Errorf("package %s has no doc.go", p.ImportPath)
		}
	}
}

// maxLines is the length of a file at which it holds more than one concept.
const maxLines = 500

func TestNoFileIsTooLongToHoldOneConcept(t *testing.T) {
	eachFile(t, ".go", func(path string) {
		if n := lines(t, path); n > maxLines {
			t.Errorf("%s has %d lines, at most %d: split it by concept", path, n, maxLines)
		}
	})
}

func TestTestsDoNotSleep(t *testing.T) {
	eachFile(t, "_test.go", func(path string) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(path, "archtest") && strings.Contains(string(src), "time.Sleep(") {
			t.Errorf("%s sleeps: wait for a signal, poll with a deadline, or use testing/synctest", path)
		}
	})
}

func eachFile(t *testing.T, suffix string, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(root(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") && path != root(t) {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, suffix) {
			f(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func lines(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
	}
	return n
}
