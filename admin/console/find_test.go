package console_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestFindGoesToWhatHasTheIDOrTheName(t *testing.T) {
	r := newEventRig(t)
	dead := r.write(outbox.Event{Type: "order-paid", JSON: []byte(`{}`)})[0]
	r.settle("order-paid", driver.Outcome{Kind: driver.Dead, Attempts: 1, Error: "no"}, driver.Failure{Attempt: 1, Error: "no"})
	event := r.write(outbox.Event{ID: "a/b?c", Type: "order-placed", JSON: []byte(`{}`)})[0]
	for q, want := range map[string]string{
		event: "./events/one?id=a%2Fb%3Fc", " " + dead + " ": "./dead-letters/one?id=" + dead, "order-placed": "./events?type=order-placed", "order-paid": "./events?type=order-paid",
	} {
		if status, text, to := r.get(admin.Viewer, "find?q="+url.QueryEscape(q)); status != 303 || to != want {
			t.Errorf("%q: status %d, location %q, want %q: %s", q, status, to, want, text)
		}
	}
	r.shows(admin.Viewer, "events/one?id=a%2Fb%3Fc", 200, "a/b?c", `href="../events?type=order-placed"`)
}

func TestFindShowsWhereATextIs(t *testing.T) {
	r := newEventRig(t)
	letter := r.write(outbox.Event{Type: "order-paid", AggregateType: "Order", AggregateID: "A-1", JSON: []byte(`{}`)})[0]
	r.settle("order-paid", driver.Outcome{Kind: driver.Dead, Attempts: 1, Error: "currency unknown " + hostile}, driver.Failure{Attempt: 1, Error: "currency unknown " + hostile})
	event := r.write(outbox.Event{Type: "order-placed", AggregateType: "Order", AggregateID: "A-1", JSON: []byte(`{}`)})[0]
	if _, err := r.store.GroupDead(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	r.shows(admin.Viewer, "find?q=A-1", 200, "Events with this key", "./events/one?id="+event, "./events?key=A-1", "Dead letters with this key", "./dead-letters/one?id="+letter, "./dead-letters/list?key=A-1", "!with this error")
	r.shows(admin.Viewer, "find?q=currency", 200, "Dead letters with this error", "./dead-letters/one?id="+letter, "./dead-letters/list?error=currency", "Groups of dead letters", "!with this key", "!<script", "&lt;script&gt;")
	r.shows(admin.Viewer, "find?q=ORDER-", 200, "Groups of dead letters", "!with this error")
	r.shows(admin.Viewer, "find?q="+url.QueryEscape(hostile+"?"), 200, "Nothing found", "&lt;script&gt;", "!<script")
	r.shows(admin.Viewer, "find?q="+strings.Repeat("x", 500), 200, "Nothing found")
	r.shows(admin.Viewer, "find?q=%00", 200, "Nothing found")
	r.shows(admin.Viewer, "find?q=..", 200, "Nothing found")
	r.shows(admin.Viewer, "find", 200, "What to find", "An event type")
	r.shows(admin.Viewer, "find?q=+", 200, "What to find")
}

// endless is a store with more events than a page looks at.
type endless struct{ *memstore.Store }

func (endless) ListEvents(context.Context, driver.EventFilter, *driver.EventCursor, int) ([]driver.StoredEvent, *driver.EventCursor, error) {
	return nil, &driver.EventCursor{Seq: 7, EventID: "e"}, nil
}

func TestFindClaimsNothingAboutEventsThatItDidNotLookAt(t *testing.T) {
	all := "No event or dead letter has “order-100” as its id, type or key, and no error contains it."
	newEventRig(t).shows(admin.Viewer, "find?q=order-100", 200, all, "!so far")
	r := newEventRig(t, func(c *console.Config) { c.API.Store = endless{memstore.New(memstore.Config{})} })
	r.shows(admin.Viewer, "find?q=order-100", 200, "Nothing was found for “order-100” so far.", "the latest 2,500 were looked at", "!No event or dead letter has")
}
