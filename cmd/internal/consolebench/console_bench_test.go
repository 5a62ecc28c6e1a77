package consolebench_test

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// bearable is the longest median that a page or its refresh may take.
const bearable = 300 * time.Millisecond

// BenchmarkConsole measures how long each page of the console takes, and the part
// of it that is sent again every two seconds, on a million events and a million
// dead letters. ROWS sets another number.
func BenchmarkConsole(b *testing.B) {
	rows, err := strconv.Atoi(cmp.Or(os.Getenv("ROWS"), "1000000"))
	if err != nil {
		b.Fatal(err)
	}
	for _, server := range []string{testenv.Postgres15, testenv.MySQL80} {
		b.Run(server, func(b *testing.B) {
			r := newRig(b, server, rows)
			b.Run("recorder", func(b *testing.B) { r.measure(b, screen{"recorder", "api/v1/status", "type-03"}) })
			for _, s := range screens(rows, time.Now()) {
				s.path = "console/" + s.path
				b.Run(s.name, func(b *testing.B) { r.measure(b, s) })
			}
		})
	}
}

// rig is a console on a database, and the API beside it.
type rig struct {
	db     *dburl.Handle
	server *httptest.Server
	owners []driver.Owner
}

func newRig(b *testing.B, server string, rows int) *rig {
	b.Helper()
	url := testenv.Database(b, server)
	began := time.Now()
	fill(b, url, server, rows)
	b.Logf("filled in %s", time.Since(began).Round(time.Second))
	db, err := dburl.Open(b.Context(), drivers, url, dburl.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	api := admin.Config{Store: db.Store, Auth: admin.Anyone(admin.Admin), Rate: 1_000_000, Logger: slog.New(slog.NewTextHandler(b.Output(), nil))}
	handler, err := admin.New(api)
	if err != nil {
		b.Fatal(err)
	}
	c, err := console.New(console.Config{API: api})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(b.Context()))
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	mux := http.NewServeMux()
	mux.Handle("/api/", handler)
	mux.Handle("/console/", http.StripPrefix("/console", c))
	r := &rig{db, httptest.NewServer(mux), []driver.Owner{driver.NewOwner("relay-1"), driver.NewOwner("relay-2"), driver.NewOwner("relay-3")}}
	b.Cleanup(func() {
		cancel()
		running.Wait()
		r.server.Close()
	})
	return r
}

// measure reports the median and the longest time of a page and of its refresh, not
// counting the first request of each.
func (r *rig) measure(b *testing.B, s screen) {
	announce(b, r.db, r.owners)
	var pages, refreshes []time.Duration
	_, text := r.page(b, s.path)
	if !strings.Contains(text, s.says) {
		b.Fatalf("%s does not say %q: %s", s.path, s.says, text)
	}
	live := strings.Contains(text, "hx-sse:connect")
	if live {
		r.refresh(b, s.path)
	}
	for b.Loop() {
		took, _ := r.page(b, s.path)
		pages = append(pages, took)
		if live {
			refreshes = append(refreshes, r.refresh(b, s.path))
		}
	}
	b.ReportMetric(0, "ns/op")
	report(b, "page", pages)
	report(b, "refresh", refreshes)
}

func report(b *testing.B, what string, all []time.Duration) {
	b.Helper()
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	median, worst := all[len(all)/2], all[len(all)-1]
	b.ReportMetric(float64(median.Microseconds())/1000, what+"-ms")
	b.ReportMetric(float64(worst.Microseconds())/1000, what+"-worst-ms")
	if median > bearable {
		b.Errorf("the median of the %s is %s, more than %s", what, median.Round(time.Millisecond), bearable)
	}
}

// page requests a page and reads all of it.
func (r *rig) page(b *testing.B, path string) (time.Duration, string) {
	b.Helper()
	began := time.Now()
	a := r.send(b, b.Context(), path, "text/html")
	defer func() { _ = a.Body.Close() }()
	text, err := io.ReadAll(a.Body)
	took := time.Since(began)
	if err != nil || a.StatusCode != http.StatusOK && a.StatusCode != http.StatusSeeOther {
		b.Fatalf("%s: status %d, error %v: %s", path, a.StatusCode, err, text)
	}
	return took, string(text)
}

// refresh requests the stream of a page and reads its first part.
func (r *rig) refresh(b *testing.B, path string) time.Duration {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	if strings.Contains(path, "?") {
		path += "&live"
	} else {
		path += "?live"
	}
	began := time.Now()
	a := r.send(b, ctx, path, "text/event-stream")
	defer func() { _ = a.Body.Close() }()
	lines := bufio.NewReader(a.Body)
	for {
		switch line, err := lines.ReadString('\n'); {
		case err != nil:
			b.Fatal(err)
		case line == "\n":
			return time.Since(began)
		}
	}
}

func (r *rig) send(b *testing.B, ctx context.Context, path, accept string) *http.Response {
	b.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.server.URL+"/"+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	a, err := r.server.Client().Transport.RoundTrip(req) // follows no redirect
	if err != nil {
		b.Fatal(err)
	}
	return a
}
