package console_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/driver"
)

func TestAnEventShowsWhatBecameOfIt(t *testing.T) {
	r := newEventRig(t, func(c *console.Config) { c.TraceURL = "https://traces.example/{trace}?x={trace}" })
	id := r.write(outbox.Event{Type: "order-placed", AggregateType: "Order", AggregateID: "A-1", TenantID: "acme", CorrelationID: "req-7", TraceID: "a/b?c&d e",
		JSON: []byte(`{"customer":{"id":4711},"note":"\u003cb>"}`), Headers: map[string]string{"x-shop": hostile}})[0]
	r.shows(admin.Viewer, "events/one?id="+id, 200, id, "order-placed", "certainly not delivered", "waiting", "No attempt has failed", ">A-1<", ">acme<", "req-7",
		`href="https://traces.example/a%2Fb%3Fc%26d%20e?x=a%2Fb%3Fc%26d%20e"`, "4711", "x-shop", "&lt;script&gt;", "!<script", "!<b>&#34;")

	r.settle("order-placed", driver.Outcome{Kind: driver.Retry, Delay: time.Hour, Attempts: 2, Error: hostile},
		driver.Failure{Attempt: 1, At: time.Now(), Took: 1500 * time.Millisecond, Destination: "kafka:orders", Error: "panic: " + hostile + "\n\nmain.go:" + hostile, Class: driver.ClassPanic, Maybe: true},
		driver.Failure{Attempt: 2, At: time.Now(), Destination: "webhook:billing", Error: hostile, Class: driver.ClassTimeout})
	r.shows(admin.Viewer, "events/one?id="+id, 200, "may have been delivered", "Next attempt", "Attempt 1", "Attempt 2", "took 1.5 s", "relay-1", "to kafka:orders", "to webhook:billing",
		"panic", "timeout", "Stack and details", "main.go:&lt;script&gt;", "!<script")
}

func TestAnEventThatIsHeldOrDoneSaysByWhomAndWhen(t *testing.T) {
	r := newEventRig(t)
	id := r.write(outbox.Event{Type: "order-placed", JSON: []byte(`{}`)})[0]
	owner := driver.NewOwner("relay-9")
	cs, err := r.store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "order-placed", Rows: 1}}})
	if err != nil || len(cs) != 1 {
		t.Fatalf("%d claimed, error %v", len(cs), err)
	}
	r.shows(admin.Viewer, "events/one?id="+id, 200, "being delivered", "Held by", "relay-9", "until", "may have been delivered")
	if _, err := r.store.Settle(t.Context(), owner, []driver.Outcome{{Held: cs[0].Held, Kind: driver.Done}}, true); err != nil {
		t.Fatal(err)
	}
	r.shows(admin.Viewer, "events/one?id="+id, 200, "✓ done", "✓ delivered", "!Held by", "!may have been")
}

func TestAPayloadCanBeSeenInSeveralWays(t *testing.T) {
	r := newEventRig(t)
	ids := r.write(outbox.Event{Type: "order-placed", JSON: []byte(`{"a": [1, 2]}`)}, outbox.Event{Type: "order-placed", Bytes: []byte{0, 'h', 'i', 0xff}})
	r.shows(admin.Viewer, "events/one?id="+ids[0], 200, `<details open>`, `<span class="k">&#34;a&#34;</span>`, "!<pre")
	r.shows(admin.Viewer, "events/one?id="+ids[0]+"&view=raw", 200, `{&#34;a&#34;: [1, 2]}`, "!class=\"json\"", `href="../events/one?id=`+ids[0]+`&amp;view=hex#payload"`)
	r.shows(admin.Viewer, "events/one?id="+ids[0]+"&view=hex", 200, "7b 22 61 22 3a")
	r.shows(admin.Viewer, "events/one?id="+ids[1], 200, "00 68 69 ff", "|.hi.|", "!?view=tree")
	r.shows(admin.Viewer, "events/one?id="+ids[1]+"&view=raw", 200, "hi\uFFFD", "4 bytes")
}

func TestHiddenPayloadsSayThatTheyAre(t *testing.T) {
	r := newEventRig(t, func(c *console.Config) { c.API.HidePayloads = true })
	id := r.write(outbox.Event{Type: "order-placed", JSON: []byte(`{"pin":4711}`), Headers: map[string]string{"secret": "s3"}})[0]
	r.shows(admin.Viewer, "events/one?id="+id, 200, "hidden from your role, which is viewer", "!4711", "!s3")
	r.shows(admin.Operator, "events/one?id="+id, 200, "4711", "s3", "!hidden from your role")
}

func TestAnEventThatIsNotThereSaysWhereItMayBe(t *testing.T) {
	r := newEventRig(t)
	id := r.write(outbox.Event{Type: "order-placed", JSON: []byte(`{}`)})[0]
	r.settle("order-placed", driver.Outcome{Kind: driver.Dead, Attempts: 1, Error: "no"}, driver.Failure{Attempt: 1, Error: "no"})
	if status, _, to := r.get(admin.Viewer, "events/one?id="+id); status != 303 || to != "../dead-letters/one?id="+id {
		t.Errorf("a dead letter has status %d, location %q", status, to)
	}
	r.shows(admin.Viewer, "events/one?id=nope", 404, "nope", "deleted after the retention time", "rolled back", `href="../audit"`)
	r.shows(admin.Viewer, "events/one?id=a%2Fb%3Cscript%3E", 404, "a/b&lt;script&gt;", "!<script", `href="../events"`)
}

func TestWhoWatchesAnEventIsToldWhenItDies(t *testing.T) {
	r := newEventRig(t)
	id := r.write(outbox.Event{Type: "order-placed", JSON: []byte(`{}`)})[0]
	r.settle("order-placed", driver.Outcome{Kind: driver.Dead, Attempts: 1, Error: "no"}, driver.Failure{Attempt: 1, Error: "no"})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.web.URL+"/ops/console/events/one?id="+id+"&live", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Authorization", "Bearer viewer")
	a, err := r.web.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }()
	for lines := bufio.NewScanner(a.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), `href="../dead-letters/one?id=`+id+`"`) {
			return
		}
		if lines.Text() == "" {
			break
		}
	}
	t.Error("the stream does not lead to the dead letter")
}
