package storetest

import (
	"fmt"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func foreignLaws[Tx any]() []Law[Tx] {
	laws := []Law[Tx]{
		{
			Name:  "a foreign INSERT with only type and payload is delivered",
			Why:   "applications in other languages write events with one plain INSERT",
			Check: check(foreignMinimum[Tx]),
		},
		{
			Name:  "a row written with the specification's own INSERT is delivered",
			Why:   "the Java library writes this table, and must work unchanged",
			Check: check(foreignSpecification[Tx]),
		},
		{
			Name:  "a time that another program sets is meant",
			Why:   "it is how others delay an event",
			Check: check(foreignTime[Tx]),
		},
		{
			Name:  "an unreadable row is reported as a problem, and the rest goes on",
			Why:   "one broken row must neither stop its lane nor be delivered as something else",
			Check: check(foreignHeaders[Tx]),
		},
		{
			Name:  "a payload that is not JSON is refused, or reported as a problem",
			Why:   "what a listener gets as JSON has to be JSON",
			Check: check(foreignPayload[Tx]),
		},
	}
	return foreign(laws)
}

// foreign limits the laws to stores whose tables others can write with SQL.
func foreign[Tx any](laws []Law[Tx]) []Law[Tx] {
	for i := range laws {
		l := laws[i]
		laws[i].Applies = func(s Subject[Tx]) bool { return s.Exec != nil && l.applies(s) }
	}
	return laws
}

// exec fills the tables' names into the statement and runs it. That of the dead
// letters is in the schema of the other.
func (k *kit[Tx]) exec(query string) error {
	schema := strings.TrimSuffix(k.Table, "outbox_event")
	return k.Exec(k.ctx, strings.NewReplacer("outbox_dlq_event", schema+"outbox_dlq_event", "outbox_event", k.Table).Replace(query))
}

func foreignMinimum[Tx any](k *kit[Tx]) {
	k.must(k.exec(`INSERT INTO outbox_event (event_type, payload) VALUES ('OrderPlaced', '{"b": 1,  "a":2}')`))
	k.must(k.exec(`INSERT INTO outbox_event (event_type, payload) VALUES ('OrderPlaced', '2')`))
	cs := k.claim(driver.NewOwner("a"), lane)
	if len(cs) != 2 {
		k.Fatalf("claimed %d rows, expected 2", len(cs))
	}
	c := cs[0]
	if c.Problem != nil || string(c.Event.JSON) != `{"b": 1,  "a":2}` || c.Event.Bytes != nil {
		k.Errorf("payload %q, problem %v", c.Event.JSON, c.Problem)
	}
	if c.EventID == "" || c.EventID == cs[1].EventID || c.EventID != c.Event.ID || c.Seq <= 0 || c.Seq >= cs[1].Seq || c.ClaimNo != 1 {
		k.Errorf("held as %+v and %+v", c.Held, cs[1].Held)
	}
	if c.Event.AggregateType != outbox.GlobalAggregate || c.Event.AggregateID != "" || len(c.Event.Headers) != 0 || c.Attempts != 0 {
		k.Errorf("defaults: %+v", c.Event)
	}
	if c.CreatedAt.IsZero() || c.Position.AvailableAt.IsZero() {
		k.Errorf("created at %s, due at %s", c.CreatedAt, c.Position.AvailableAt)
	}
}

func (k *kit[Tx]) literal(t time.Time) string {
	if k.TimeLiteral != nil {
		return k.TimeLiteral(t)
	}
	return "'" + t.UTC().Format("2006-01-02 15:04:05.000000") + "'"
}

const specificationInsert = `INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id,
  tenant_id, payload, headers, status, attempts, available_at, created_at)
VALUES (%s, 0, 0, %s, %s)`

func foreignSpecification[Tx any](k *kit[Tx]) {
	at := time.Date(2020, 2, 3, 4, 5, 6, 7000000, time.UTC)
	k.must(k.exec(fmt.Sprintf(specificationInsert,
		`'01ARZ3NDEKTSV4RRFFQ69G5FAV', 'OrderPlaced', 'Order', '4711', 'tenant', '{"n":1}', '{"h":"v"}'`, k.literal(at), k.literal(at))))
	k.must(k.exec(fmt.Sprintf(specificationInsert,
		`'01ARZ3NDEKTSV4RRFFQ69G5FAW', 'OrderPlaced', NULL, NULL, NULL, '{}', NULL`, k.literal(at), k.literal(at))))
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	if len(cs) != 2 {
		k.Fatalf("claimed %d rows, expected 2", len(cs))
	}
	for i, want := range []outbox.Event{
		{ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Type: lane, AggregateType: "Order", AggregateID: "4711", TenantID: "tenant", JSON: []byte(`{"n":1}`), Headers: map[string]string{"h": "v"}},
		{ID: "01ARZ3NDEKTSV4RRFFQ69G5FAW", Type: lane, JSON: []byte(`{}`)},
	} {
		if d := difference(cs[i].Event, want, k.ClockResolution); d != "" || cs[i].Problem != nil {
			k.Errorf("row %d differs: %s (problem %v)", i, d, cs[i].Problem)
		}
		if !cs[i].CreatedAt.Equal(at) || !cs[i].Position.AvailableAt.Equal(at) {
			k.Errorf("created at %s and due at %s, want %s", cs[i].CreatedAt, cs[i].Position.AvailableAt, at)
		}
		k.mustSettle(a, driver.Outcome{Held: cs[i].Held, Kind: driver.Done})
	}
}

func foreignTime[Tx any](k *kit[Tx]) {
	later := k.literal(time.Now().Add(24 * time.Hour))
	k.must(k.exec(`INSERT INTO outbox_event (event_type, payload, available_at) VALUES ('OrderPlaced', '1', ` + later + `)`))
	k.claimNothing("it is for tomorrow", lane)
	ls, err := k.Store.Lanes(k.ctx, "", 10)
	k.must(err)
	if len(ls) != 1 || !about(ls[0].Age, -24*time.Hour) {
		k.Errorf("lanes %+v, expected one that is due in about 24h", ls)
	}
}

// badHeaders are JSON, but not an object of strings.
var badHeaders = []string{`[1]`, `{"a":1}`, `"text"`}

func (k *kit[Tx]) writeBadHeaders(id, headers string) {
	k.Helper()
	k.must(k.exec(fmt.Sprintf(`INSERT INTO outbox_event (event_id, event_type, payload, headers) VALUES ('%s', 'OrderPlaced', '1', '%s')`, id, headers)))
}

func foreignHeaders[Tx any](k *kit[Tx]) {
	for i, headers := range badHeaders {
		bad := fmt.Sprintf("bad-%d", i)
		k.writeBadHeaders(bad, headers)
		good := k.write(event(lane))[0]
		a := driver.NewOwner("a")
		cs := k.claim(a, lane)
		if len(cs) != 2 || cs[0].EventID != bad || cs[1].EventID != good {
			k.Fatalf("headers %s: claimed %v, expected both rows", headers, heldOf(cs))
		}
		if cs[0].Problem == nil || cs[1].Problem != nil {
			k.Errorf("headers %s: problems %v and %v, expected the first alone to have one", headers, cs[0].Problem, cs[1].Problem)
		}
		k.mustSettle(a,
			driver.Outcome{Held: cs[0].Held, Kind: driver.Dead, Error: driver.ErrorText(cs[0].Problem)},
			driver.Outcome{Held: cs[1].Held, Kind: driver.Done})
		k.dead(bad)
	}
}

func foreignPayload[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	for _, columns := range []string{
		`(event_type, payload) VALUES ('OrderPlaced', '{')`,
		`(event_type, payload) VALUES ('OrderPlaced', '')`,
		`(event_type) VALUES ('OrderPlaced')`,
	} {
		if k.exec(`INSERT INTO outbox_event `+columns) != nil {
			continue // the table refuses it
		}
		c := k.claimOne(a, long)
		if c.Problem == nil {
			k.Errorf("%s: claimed with the payload %q and without a problem", columns, c.Event.Payload())
		}
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Error: "no"})
	}
}
