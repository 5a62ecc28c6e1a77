package admin_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// deliver writes n events and marks them as delivered.
func (r *rig) deliver(eventType string, n int) (ids []string) {
	r.t.Helper()
	w := outbox.NewWriter(r.store)
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: eventType, TenantID: "acme", JSON: fmt.Appendf(nil, `{"n":%d,"pin":1}`, i), Headers: map[string]string{"secret": "4711"}}
	}
	err := w.InTx(r.t.Context(), func(ctx context.Context, tx *memstore.Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	owner := driver.NewOwner("a")
	cs, err := r.store.Claim(r.t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: eventType, Rows: n}}})
	if err != nil || len(cs) != n {
		r.t.Fatalf("%d claimed, error %v", len(cs), err)
	}
	var outcomes []driver.Outcome
	for _, c := range cs {
		outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
	if stale, err := r.store.Settle(r.t.Context(), owner, outcomes, true); err != nil || len(stale) > 0 {
		r.t.Fatalf("stale %v, error %v", stale, err)
	}
	return ids
}

func TestPagesShowEachEventOnce(t *testing.T) {
	r := newRig(t)
	ids := r.deliver("order-placed", 5)
	r.deliver("order-paid", 2)
	var got []string
	for cursor := ""; ; {
		var page struct {
			Events []admin.Event `json:"events"`
			Next   string        `json:"next"`
		}
		r.want(200, r.send(admin.Viewer, "GET", "/api/v1/events?type=order-placed&status=done&tenant=acme&limit=2&cursor="+cursor, ""), &page)
		for _, e := range page.Events {
			if e.Payload != "" || e.Headers != nil || e.Status != driver.EventDone || e.DoneAt == nil {
				t.Errorf("the list shows %+v", e)
			}
			got = append(got, e.ID)
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	for i, id := range got {
		if id != ids[len(ids)-1-i] {
			t.Errorf("%v, want %v from the latest on", got, ids)
		}
	}
	for _, query := range []string{"status=lost", "cursor=x", "written_after=0001-01-02T00:00:00Z", "tenant=%00"} {
		problem(t, query, r.send(admin.Viewer, "GET", "/api/v1/events?"+query, ""), 422)
	}
}

func TestAnEventIsShownAsFarAsThePersonMaySeeIt(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.HidePayloads = true }, masks("pin", "secret"))
	id := r.deliver("order-placed", 1)[0]
	for role, want := range map[admin.Role]string{admin.Viewer: "", admin.Operator: `{"n":0,"pin":"***"}`, admin.Admin: `{"n":0,"pin":1}`} {
		var e admin.Event
		a := r.send(role, "GET", "/api/v1/events/"+id, "")
		r.want(200, a, &e)
		if e.Payload != want || strings.Contains(a.text, "4711") != (role == admin.Admin) {
			t.Errorf("%s sees %s", role, a.text)
		}
	}
	for _, id := range []string{"x", strings.Repeat("x", 40)} {
		problem(t, id, r.send(admin.Admin, "GET", "/api/v1/events/"+id, ""), 404)
	}
}

func TestEventsAreFoundByTheirPayload(t *testing.T) {
	r := newRig(t)
	ids := r.deliver("order-placed", 3)
	for query, want := range map[string]string{"$.n=1": ids[1], "$.n=7": ""} {
		var page admin.EventPage
		r.want(200, r.send(admin.Viewer, "GET", "/api/v1/events?payload="+url.QueryEscape(query), ""), &page)
		got := ""
		for _, e := range page.Events {
			got += e.ID
		}
		if got != want || page.Next != "" {
			t.Errorf("%s finds %q, next %q, want %q", query, got, page.Next, want)
		}
	}
	problem(t, "no path", r.send(admin.Admin, "GET", "/api/v1/events?payload=n", ""), 422)
}

func TestWhoMayNotSeePayloadsMayNotSearchForEventsByThem(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*admin.Config)
		refuse []admin.Role
		allow  []admin.Role
	}{
		"hidden": {func(c *admin.Config) { c.HidePayloads = true }, []admin.Role{admin.Viewer}, []admin.Role{admin.Operator, admin.Admin}},
		"masked": {masks("pin"), []admin.Role{admin.Viewer, admin.Operator}, []admin.Role{admin.Admin}},
	} {
		r := newRig(t, c.change)
		r.deliver("order-placed", 1)
		for _, role := range c.refuse {
			problem(t, name, r.send(role, "GET", "/api/v1/events?payload=$.pin=1", ""), 403)
		}
		for _, role := range c.allow {
			r.want(200, r.send(role, "GET", "/api/v1/events?payload=$.pin=1", ""), nil)
		}
	}
}

func TestEventsAreFoundByTheirTrace(t *testing.T) {
	r := newRig(t)
	w := outbox.NewWriter(r.store)
	const own, context1 = "4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c"
	var ids []string
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx,
			outbox.Event{Type: "a", JSON: []byte(`{"n":1}`), TraceID: own},
			outbox.Event{Type: "a", JSON: []byte(`{"n":2}`), Headers: map[string]string{"traceparent": "00-" + context1 + "-b7ad6b7169203331-01"}},
			outbox.Event{Type: "a", JSON: []byte(`{"n":3}`), Headers: map[string]string{"traceparent": "00-" + context1}},
			outbox.Event{Type: "a", JSON: []byte(`{"n":4}`), TraceID: "b7ad6b7169203331"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"trace=" + own:                        ids[0],
		"trace=" + strings.ToUpper(own):       ids[0],
		"trace=" + context1:                   ids[1],
		"trace=b7ad6b7169203331":              ids[3], // not the span of another
		"trace=" + own + "&payload=%24.n%3D1": ids[0],
		"trace=" + own + "&payload=%24.n%3D2": "",
		"trace=" + own[:31]:                   "",
		"trace=" + own + "&type=b":            "",
	} {
		var page admin.EventPage
		r.want(200, r.send(admin.Viewer, "GET", "/api/v1/events?"+query, ""), &page)
		var got []string
		for _, e := range page.Events {
			got = append(got, e.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s finds %v, expected %q", query, got, want)
		}
	}
}
