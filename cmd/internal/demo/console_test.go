package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// visitor is somebody who uses the console of a running demo.
type visitor struct {
	*testing.T
	demo   *Demo
	client *http.Client
	stop   context.CancelFunc
	ended  chan Summary
}

// visit runs a demo with a console.
func visit(t *testing.T, db *dburl.Handle, c Config) *visitor {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.Console, c.Drain = l, patience
	ctx, cancel := context.WithCancel(t.Context())
	v := &visitor{T: t, demo: New(db, c), client: &http.Client{Transport: &http.Transport{}}, stop: cancel, ended: make(chan Summary, 1)}
	t.Cleanup(v.client.CloseIdleConnections)
	go func() {
		sum, err := v.demo.Run(ctx)
		if err != nil {
			t.Error(err)
		}
		v.ended <- sum
	}()
	t.Cleanup(func() {
		v.demo.Abandon()
		v.end()
	})
	return v
}

// end stops the shop and returns what came of it.
func (v *visitor) end() Summary {
	v.Helper()
	v.stop()
	select {
	case sum := <-v.ended:
		v.ended <- sum
		return sum
	case <-time.After(patience):
		v.Fatal("the demo does not end")
	}
	return Summary{}
}

// until polls rarely enough for the rate limit of the API.
func (v *visitor) until(what string, holds func() bool) {
	v.Helper()
	for deadline := time.Now().Add(patience); !holds(); <-time.After(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			v.Fatalf("never %s: %+v", what, v.demo.State())
		}
	}
}

// ask sends a request and reads the answer into out, unless that is nil.
func (v *visitor) ask(method, path string, in, out any) (int, string) {
	v.Helper()
	var body io.Reader = http.NoBody
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			v.Fatal(err)
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(v.Context(), method, v.demo.ConsoleURL()+path, body)
	if err != nil {
		v.Fatal(err)
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := v.client.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err == nil && out != nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		v.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
	return resp.StatusCode, string(text)
}

func (v *visitor) do(method, path string, in, out any) {
	v.Helper()
	if code, text := v.ask(method, path, in, out); code != http.StatusOK {
		v.Fatalf("%s %s: %d %s", method, path, code, text)
	}
}

// letters returns the open dead letters of a type.
func (v *visitor) letters(eventType string) (all []admin.Letter) {
	v.Helper()
	var page admin.LetterPage
	v.do("GET", "/api/v1/dead-letters?limit=200&type="+eventType, nil, &page)
	return page.Letters
}

// job starts a job and waits for its end.
func (v *visitor) job(action string, spec any) admin.Job {
	v.Helper()
	var started admin.StartedJob
	v.do("POST", "/api/v1/jobs/"+action, spec, &started)
	j := *started.Job
	v.until("is "+action+" over", func() bool {
		v.do("GET", "/api/v1/jobs/"+j.ID, nil, &j)
		return j.EndedAt != nil
	})
	if j.State != "done" || j.Applied == 0 {
		v.Fatalf("%s: %+v", action, j)
	}
	return j
}

func TestWhatPeopleDoIsNoLossAndNoDuplicate(t *testing.T) {
	run := func(t *testing.T, db *dburl.Handle) {
		v := visit(t, db, Config{Rate: 200})
		v.until("are there letters of each kind", func() bool {
			return v.demo.State().Total.GaveUp > 8 && len(v.letters("MailRequested")) > 3 && len(v.letters("OrderShipped")) > 3
		})
		mails, shipped := v.letters("MailRequested"), v.letters("OrderShipped")
		// Corrected, so that it is delivered; retried, so that it dies again; resolved;
		// deleted; all that were delivered, again and as copies; somebody's erased.
		v.do("POST", "/api/v1/dead-letters/"+mails[0].ID+"/edit", map[string]string{"payload": `{"to":"ada@example.com","template":"order-confirmation"}`}, nil)
		v.do("POST", "/api/v1/dead-letters/"+shipped[0].ID+"/edit", map[string]string{"payload": `{"number":-5,"address":{"street":"1 Main Street"}}`}, nil)
		v.do("POST", "/api/v1/dead-letters/"+shipped[1].ID+"/edit", map[string]string{"payload": `"no order"`}, nil)
		v.do("POST", "/api/v1/dead-letters/retry", map[string]any{"ids": []string{mails[1].ID}}, nil)
		v.do("POST", "/api/v1/dead-letters/resolve", map[string]any{"ids": []string{mails[2].ID}}, nil)
		v.do("POST", "/api/v1/dead-letters/delete", map[string]any{"ids": []string{shipped[2].ID, mails[3].ID}}, nil)
		again := v.job("replay", map[string]any{"filter": map[string]string{"tenant": "north"}})
		copies := v.job("replay", map[string]any{"filter": map[string]string{"tenant": "south", "type": "OrderPlaced"}, "new_ids": true})
		v.job("erase", map[string]any{"filter": map[string]string{"key": "order-20"}})
		v.do("POST", "/api/v1/dead-letters/retry", map[string]any{"ids": []string{shipped[3].ID}}, nil) // right before the end
		sum := v.end()
		if sum.Lost != 0 || sum.Duplicates != 0 || sum.Phantoms != 0 || sum.Waiting != 0 || !sum.Sound() {
			t.Errorf("got %+v", sum)
		}
		if sum.Deleted != 2 || sum.Repeated != again.Applied+copies.Applied {
			t.Errorf("deleted %d, expected 2; repeated %d, expected %d and %d", sum.Deleted, sum.Repeated, again.Applied, copies.Applied)
		}
		if sum.Written != sum.Delivered+sum.Dead+sum.Deleted {
			t.Errorf("it does not add up: %+v", sum)
		}
		var out strings.Builder
		Print(&out, sum)
		for _, want := range []string{"because somebody asked for it", "2   dead letters that somebody deleted"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is missing in\n%s", want, out.String())
			}
		}
	}
	t.Run("SQLite", func(t *testing.T) { run(t, openFile(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { run(t, openURL(t, testenv.Database(t, testenv.Postgres15), dburl.Options{})) })
	t.Run("MySQL", func(t *testing.T) { run(t, openURL(t, testenv.Database(t, testenv.MySQL80), dburl.Options{})) })
}

func TestWhatIsPausedWaitsWithoutAnError(t *testing.T) {
	v := visit(t, openFile(t), Config{Rate: 100})
	v.until("does it run", func() bool { return v.demo.State().Total.Delivered > 10 })
	var to admin.DestinationList
	v.until("are destinations announced", func() bool {
		v.do("GET", "/api/v1/destinations", nil, &to)
		return len(to.Destinations) == len(types)
	})
	name := ""
	for _, d := range to.Destinations {
		if len(d.Types) == 1 && d.Types[0] == invoiceRequested.Type() {
			name = d.Name
		}
	}
	v.do("POST", "/api/v1/pause", map[string]any{"types": []string{"OrderShipped"}, "destinations": []string{name}}, nil)
	lane := func(name string) (n int64) {
		for _, l := range v.demo.State().Lanes {
			if l.Name == name {
				n = l.Open()
			}
		}
		return n
	}
	v.until("do some wait", func() bool { return lane("OrderShipped") > 5 && lane("InvoiceRequested") > 5 })
	began := time.Now()
	sum := v.end()
	if sum.Lost != 0 || sum.Waiting < 10 || !sum.Paused || sum.Duplicates != 0 {
		t.Errorf("got %+v", sum)
	}
	if took := time.Since(began); took > patience/2 {
		t.Errorf("it waited for %s", took)
	}
}

func TestEveryScreenOfTheConsoleHasSomethingToShow(t *testing.T) {
	v := visit(t, openFile(t), Config{Rate: 100})
	v.until("are there dead letters", func() bool { return v.demo.State().Total.GaveUp > 1 })
	for path, want := range map[string]string{
		"/console/":                  "OrderPlaced",
		"/console/timeline":          "Job note started by oncall",
		"/console/events":            "OrderPlaced",
		"/console/types":             "InvoiceRequested",
		"/console/consumers":         "warehouse",
		"/console/settings":          "orders-per-second",
		"/console/dead-letters":      "marked by oncall",
		"/console/dead-letters/list": "MailRequested",
		"/console/jobs":              "oncall",
		"/console/audit":             "investigating",
		"/console/alerts":            "are open dead letters.",
		"/console/destinations":      "delivering",
		"/console/instances":         "Workers busy",
		"/console/about":             "healthy",
		"/api/v1/events?type=InvoiceRequested&limit=1": `"tenant_id":"`,
	} {
		v.until("has "+path+" what it shows", func() bool {
			code, text := v.ask("GET", path, nil, nil)
			return code == http.StatusOK && strings.Contains(text, want)
		})
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.demo.ConsoleURL()+"/api/v1/status", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "shop.example"
	resp, err := v.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _ = resp.Body.Close(); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("another site gets in: %s", resp.Status)
	}
	// A page that somebody looks at does not keep the demo from ending.
	stream, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.demo.ConsoleURL()+"/console/?live", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream.Header.Set("Accept", "text/event-stream")
	if resp, err = v.client.Do(stream); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if sum := v.end(); sum.Lost != 0 || !sum.Sound() {
		t.Errorf("got %+v", sum)
	}
	if code, text := v.ask("GET", "/api/v1/status", nil, nil); code != 0 {
		t.Errorf("it is still served: %d %s", code, text)
	}
}

func TestTheConsoleIsForThisMachineAlone(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:9465", "shop.example:80", "9465", "127.0.0.1"} {
		if l, err := Listen(address); err == nil {
			_ = l.Close()
			t.Errorf("%q is accepted", address)
		}
	}
	l, err := Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if other, err := Listen(l.Addr().String()); err == nil {
		_ = other.Close()
		t.Error("an address that was asked for and is taken is replaced")
	}
}

func TestTheDefaultAddressGivesWay(t *testing.T) {
	for got := DefaultConsole; got == DefaultConsole; {
		first, taken := net.Listen("tcp", DefaultConsole)
		l, err := Listen(DefaultConsole)
		if err != nil {
			t.Fatal(err)
		}
		got = l.Addr().String()
		_ = l.Close()
		if taken == nil {
			_ = first.Close()
		}
		// Somebody else who has it is as good, unless he lets go in between.
		if got == DefaultConsole && taken == nil || !strings.HasPrefix(got, "127.0.0.1:") {
			t.Fatalf("got %s", got)
		}
	}
}
