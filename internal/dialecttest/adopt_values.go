package dialecttest

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Unkept is a table with a row that cannot become an event without a guess.
type Unkept struct {
	// Columns and Values are what differs from a table and a row that can.
	Columns, Values []string
	// Want are words of the obstacle.
	Want []string
}

// unkept are refused on every database; dialects add their own.
var unkept = map[string]Unkept{
	"a status in words":            {[]string{"status VARCHAR(16)"}, []string{"status = 'NEW'"}, []string{"status", "rows: 1, such as NEW", "0 (new)"}},
	"a status of digits in a text": {[]string{"status VARCHAR(16)"}, []string{"status = '0'"}, []string{"status", "rows: 1, such as 0"}},
	"a status that nobody knows":   {[]string{"status INT"}, []string{"status = 10"}, []string{"status", "rows: 1, such as 10", "0 (new)"}},
	"a status below zero":          {[]string{"status INT"}, []string{"status = -1"}, []string{"status", "such as -1"}},
	"a status between two":         {[]string{"status DECIMAL(5,2)"}, []string{"status = 0.25"}, []string{"status", "such as 0.25"}},
	"no status":                    {[]string{"status INT"}, []string{"status = NULL"}, []string{"status", "rows: 1, such as NULL"}},
	"attempts below zero":          {nil, []string{"attempts = -1"}, []string{"attempts", "such as -1", "set"}},
	"attempts that end the count":  {[]string{"attempts BIGINT"}, []string{"attempts = 2147483647"}, []string{"attempts", "such as 2147483647"}},
	"attempts in words":            {[]string{"attempts VARCHAR(9)"}, []string{"attempts = 'three'"}, []string{"attempts", "such as three"}},
	"an id that is too long": {[]string{"event_id VARCHAR(99) PRIMARY KEY"}, []string{"event_id = '" + strings.Repeat("x", 37) + "'"},
		[]string{"event_id", "36 characters", "such as xxx"}},
	"a type that is too long": {[]string{"event_type VARCHAR(200)"}, []string{"event_type = '" + strings.Repeat("x", 129) + "'"},
		[]string{"event_type", "128 characters", "such as xxx"}},
	"a type without a name":      {nil, []string{"event_type = ''"}, []string{"event_type", "rows: 1"}},
	"no type":                    {nil, []string{"event_type = NULL"}, []string{"event_type", "such as NULL"}},
	"no payload":                 {nil, []string{"payload = NULL"}, []string{"payload", "rows: 1, such as event a"}},
	"a time that is a number":    {[]string{"available_at BIGINT"}, []string{"available_at = 4070908800"}, []string{"available_at", "such as 4070908800"}},
	"a creation in milliseconds": {[]string{"created_at VARCHAR(20)"}, []string{"created_at = '1709208000000'"}, []string{"created_at", "such as 1709208000000"}},
	"a time that nobody can read": {[]string{"occurred_at VARCHAR(40)"}, []string{"occurred_at = 'yesterday'"},
		[]string{"occurred_at", "such as yesterday"}},
	"a column that we would leave out": {[]string{"shop VARCHAR(9) NOT NULL"}, []string{"shop = 'x'"}, []string{"shop", "NOT NULL", "default"}},
	"claim numbers of its own":         {[]string{"claim_no INT"}, nil, []string{"claim_no", "rename"}},
	"failures of its own":              {[]string{"failures INT"}, []string{"failures = 3"}, []string{"failures", "rename"}},
}

// adoptionRefusesValues expects rows whose meaning cannot be kept to be found
// before anything is changed.
func adoptionRefusesValues(t *testing.T, s Subject) {
	for name, u := range unkept {
		t.Run(name, func(t *testing.T) { u.check(t, s) })
	}
}

func (u Unkept) check(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	exec(t, db, foreignTable(u.Columns...), foreignRow(u.Values...))
	store := newStore(t, s, db, sqlstore.Tables{})
	plan, err := store.Adoption(t.Context())
	if err != nil || plan == nil || len(plan.Obstacles) == 0 {
		t.Errorf("%+v, error %v: expected to be told beforehand", plan, err)
	}
	err = store.Migrate(t.Context())
	if !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), "nothing was changed") {
		t.Fatalf("error %v, expected a refusal", err)
	}
	for _, want := range u.Want {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in the error: %v", want, err)
		}
	}
	if n := count(t, db, "outbox_event"); n != 1 {
		t.Errorf("%d rows, expected the one that was there", n)
	}
	if _, err := db.ExecContext(t.Context(), "DELETE FROM outbox_dlq_event"); err == nil {
		t.Error("tables were made")
	}
}

// adoptionAfterMending expects a refused table to be adopted once its owner has
// done what the obstacle says.
func adoptionAfterMending(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	exec(t, db, foreignTable(), foreignRow("status = 7"))
	store := newStore(t, s, db, sqlstore.Tables{})
	if err := store.Migrate(t.Context()); !errors.Is(err, outbox.ErrSchema) {
		t.Fatalf("error %v, expected a refusal", err)
	}
	exec(t, db, "UPDATE outbox_event SET status = 2")
	must(t, store.Migrate(t.Context()))
	if cs := claim(t, store); len(cs) != 1 || cs[0].Problem != nil {
		t.Errorf("claimed %+v, expected the event", cs)
	}
}

// Kept is an unusual table whose row still becomes an event.
type Kept struct {
	Columns, Values []string
	// Check gets the claimed row.
	Check func(t *testing.T, c driver.Claimed)
}

var longText = strings.Repeat("x", 64)

var kept = map[string]Kept{
	"no column of attempts": {Columns: []string{"attempts"}},
	"attempts that are null": {Values: []string{"attempts = NULL"}, Check: func(t *testing.T, c driver.Claimed) {
		if c.Attempts != 0 {
			t.Errorf("%d attempts", c.Attempts)
		}
	}},
	"attempts of a wider type": {Columns: []string{"attempts DECIMAL(20)"}, Values: []string{"attempts = 4"}, Check: func(t *testing.T, c driver.Claimed) {
		if c.Attempts != 4 {
			t.Errorf("%d attempts", c.Attempts)
		}
	}},
	"times that are null": {Values: []string{"available_at = NULL", "created_at = NULL"}, Check: func(t *testing.T, c driver.Claimed) {
		if c.CreatedAt.Year() < 2024 {
			t.Errorf("created at %s, expected now", c.CreatedAt)
		}
	}},
	"a status of a wider type": {Columns: []string{"status BIGINT"}, Values: []string{"status = 2"}},
	"a status that is exact":   {Columns: []string{"status DECIMAL(5,2)"}, Values: []string{"status = 2.00"}},
	"ids of numbers":           {Columns: []string{"event_id BIGINT PRIMARY KEY"}, Values: []string{"event_id = 42"}, Check: wantID("42")},
	"an aggregate with a number": {Columns: []string{"aggregate_id BIGINT NOT NULL"}, Values: []string{"aggregate_id = 42"}, Check: func(t *testing.T, c driver.Claimed) {
		if c.Event.AggregateID != "42" {
			t.Errorf("aggregate %q", c.Event.AggregateID)
		}
	}},
	"columns that are too narrow for us": {
		Columns: []string{"tenant_id VARCHAR(4) NOT NULL", "last_error VARCHAR(9)", "locked_by VARCHAR(3)", "headers VARCHAR(9)"},
		Values:  []string{"tenant_id = 't1'", "locked_by = 'me'", "headers = NULL"},
		Check: func(t *testing.T, c driver.Claimed) {
			if c.Event.TenantID != "t1" {
				t.Errorf("tenant %q", c.Event.TenantID)
			}
		},
	},
	"a payload of bytes beside": {Columns: []string{"payload_bytes BYTES"}, Values: []string{"payload = NULL", "payload_bytes = 'abc'"}, Check: func(t *testing.T, c driver.Claimed) {
		if string(c.Event.Bytes) != "abc" {
			t.Errorf("%+v", c.Event)
		}
	}},
}

func wantID(id string) func(*testing.T, driver.Claimed) {
	return func(t *testing.T, c driver.Claimed) {
		if c.EventID != id {
			t.Errorf("id %q, expected %q", c.EventID, id)
		}
	}
}

// adoptionKeepsValues expects rows that differ from the specification's but
// have a clear meaning to be delivered, and the table to be usable.
func adoptionKeepsValues(t *testing.T, s Subject) {
	for name, k := range kept {
		t.Run(name, func(t *testing.T) { k.check(t, s) })
	}
}

func (k Kept) check(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	columns := slices.Clone(k.Columns)
	for i := range columns {
		columns[i] = strings.ReplaceAll(columns[i], "BYTES", cmp.Or(s.Bytes, "VARBINARY(999)"))
	}
	exec(t, db, foreignTable(columns...), foreignRow(k.Values...))
	store := newStore(t, s, db, sqlstore.Tables{})
	if plan, err := store.Adoption(t.Context()); err != nil || plan == nil || len(plan.Obstacles) > 0 {
		t.Errorf("%+v, error %v: expected no obstacle", plan, err)
	}
	must(t, store.Migrate(t.Context()))
	cs := claim(t, store)
	if len(cs) != 1 || cs[0].Problem != nil {
		t.Fatalf("claimed %+v, expected the event", cs)
	}
	if k.Check != nil {
		k.Check(t, cs[0])
	}
	stale, err := store.Settle(t.Context(), owner, []driver.Outcome{{Held: cs[0].Held, Kind: driver.Retry, Error: longText}}, true)
	if err != nil || len(stale) > 0 {
		t.Errorf("stale %v, error %v: expected a failure to be noted", stale, err)
	}
	exec(t, db, "DELETE FROM outbox_event")
	e := event()
	e.AggregateID, e.TenantID, e.Headers = longText, longText, map[string]string{"a": longText}
	ids := write(t, store, e)
	cs = claim(t, store)
	if len(cs) != 1 || cs[0].EventID != ids[0] || cs[0].Event.AggregateID != longText || cs[0].Event.TenantID != longText {
		t.Errorf("claimed %+v, expected what was written", cs)
	}
	settle(t, store, driver.Dead, cs...)
	roundTrip(t, store)
}
