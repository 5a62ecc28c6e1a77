package dialecttest

import (
	"cmp"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// many fills a table with rows of which the earliest two are rare. Their ids are
// those of [rowID]; insert is the statement up to its rows.
func many(t *testing.T, s Subject, n int, insert string, row func(i int, rare bool) string) (*sql.DB, *sqlstore.Store) {
	t.Helper()
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	for from := 1; from <= n; from += 400 {
		var rows []string
		for i := from; i < from+400; i++ {
			rows = append(rows, row(i, i <= 2))
		}
		exec(t, db, insert+" VALUES "+strings.Join(rows, ", "))
	}
	return db, store
}

func rowID(i int) string { return fmt.Sprintf("e%05d", i) }

// either is the value of rare rows, or that of the others.
func either(rare bool, yes, no string) string {
	if rare {
		return yes
	}
	return no
}

// diedAt is a time of death that grows with i.
func diedAt(s Subject, i int) string {
	if s.Dialect.Name == "SQLite" {
		return fmt.Sprint(i)
	}
	return fmt.Sprintf("TIMESTAMP '2026-01-01 00:%02d:%02d'", i/400, i/10%60)
}

const insertLetters = "INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, created_at, died_at, claim_no, last_error, group_id)"

func letterRow(s Subject, i int, reason, group string) string {
	at := diedAt(s, i)
	return fmt.Sprintf("('%s', %d, 'order', '1', 1, %s, %s, 1, '%s', %s)", rowID(i), i, at, at, reason, group)
}

// longSearch looks for a text that only the earliest of many letters have: the
// first page is empty and has a next one.
func longSearch(t *testing.T, s Subject) {
	_, store := many(t, s, 10_400, insertLetters, func(i int, rare bool) string {
		return letterRow(s, i, either(rare, "lost by the carrier", "refused"), "NULL")
	})
	searched(t, func(after *driver.DeadCursor) (ids []string, next *driver.DeadCursor, err error) {
		ls, next, err := store.ListDead(t.Context(), driver.DeadFilter{Error: "carrier"}, after, 1)
		for _, l := range ls {
			ids = append(ids, l.Event.ID)
		}
		return ids, next, err
	})
}

// A filter of events looks at a bounded number of them for a page.
func longFilter(t *testing.T, s Subject) {
	_, store := many(t, s, 10_400, "INSERT INTO outbox_event (event_id, event_type, payload, tenant_id)", func(i int, rare bool) string {
		return fmt.Sprintf("('%s', 'order', '1', '%s')", rowID(i), either(rare, "acme", "other"))
	})
	searched(t, func(after *driver.EventCursor) (ids []string, next *driver.EventCursor, err error) {
		es, next, err := store.ListEvents(t.Context(), driver.EventFilter{Tenant: "acme"}, after, 1)
		for _, e := range es {
			ids = append(ids, e.Event.ID)
		}
		return ids, next, err
	})
}

// So does a filter of the audit log, which has no index for it.
func longAudit(t *testing.T, s Subject) {
	_, store := many(t, s, 5_200, "INSERT INTO outbox_audit (actor, action, subjects, note)", func(i int, rare bool) string {
		return fmt.Sprintf(`('%s', 'retry', '["%s"]', '')`, either(rare, "ann", "bob"), rowID(i))
	})
	searched(t, func(after *int64) (ids []string, next *int64, err error) {
		var before int64
		if after != nil {
			before = *after
		}
		es, end, err := store.ListAudit(t.Context(), driver.AuditFilter{By: "ann"}, before, 1)
		for _, e := range es {
			ids = append(ids, e.Subjects...)
		}
		return ids, nonZero(end), err
	})
}

// And a filter of jobs.
func longJobs(t *testing.T, s Subject) {
	no := either(s.Dialect.Name == "SQLite", "0", "false")
	_, store := many(t, s, 5_200, "INSERT INTO outbox_job (job_id, action, spec, actor, note, matches, matches_more, state)", func(i int, rare bool) string {
		return fmt.Sprintf("('%s', '%s', '{}', 'ann', '', 1, %s, 'done')", rowID(i), either(rare, "erase", "retry"), no)
	})
	searched(t, func(after *string) (ids []string, next *string, err error) {
		var before string
		if after != nil {
			before = *after
		}
		js, end, err := store.ListJobs(t.Context(), driver.JobFilter{Action: "erase"}, before, 1)
		for _, j := range js {
			ids = append(ids, j.ID)
		}
		return ids, nonZero(end), err
	})
}

// And one of groups, which leaves out those without an open letter.
func longGroups(t *testing.T, s Subject) {
	for name, f := range map[string]driver.GroupFilter{"any": {}, "some": {Lane: "order", Reason: "carrier"}} {
		t.Run(name, func(t *testing.T) {
			db, store := many(t, s, 5_200, "INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason)", func(i int, rare bool) string {
				return fmt.Sprintf("('%s', 'order', 'nats', '%s')", rowID(i), either(rare, "lost by the carrier", "refused"))
			})
			for i := 1; i <= 2; i++ {
				exec(t, db, insertLetters+" VALUES "+letterRow(s, i, "lost", "'"+rowID(i)+"'"))
			}
			searched(t, func(after *driver.GroupCursor) (ids []string, next *driver.GroupCursor, err error) {
				gs, next, err := store.ListGroups(t.Context(), f, after, 1)
				for _, g := range gs {
					ids = append(ids, g.ID)
				}
				return ids, next, err
			})
			f.LastAfter = time.Now().Add(24 * time.Hour) // which ends the search before any
			if _, next, err := store.ListGroups(t.Context(), f, nil, 1); err != nil || next != nil {
				t.Errorf("no group is as late, and there is a next page %v, error %v", next, err)
			}
		})
	}
}

func nonZero[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// searched reads all pages: the first must be empty and have a next one, and all
// together have the two earliest rows.
func searched[C any](t *testing.T, read func(after *C) (ids []string, next *C, err error)) {
	t.Helper()
	var found []string
	var after *C
	for page := 0; ; page++ {
		ids, next, err := read(after)
		must(t, err)
		found = append(found, ids...)
		if page == 0 && (len(ids) > 0 || next == nil) {
			t.Errorf("the first page has %v and a next one %v: it should have looked at a part", ids, next)
		}
		if after = next; next == nil || page > 10 {
			break
		}
	}
	if got := fmt.Sprint(found); got != "[e00002 e00001]" {
		t.Errorf("found %s, want the two earliest, each once", got)
	}
}

// A page of payloads that would fill the memory is short and has a next one.
func largePages(t *testing.T, s Subject) {
	size := cmp.Or(s.Large, 8<<20)
	fit := 32 << 20 / size
	n := fit + 1
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	at := diedAt(s, 1)
	// The first is JSON, which takes long to check, and the others are bytes.
	exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload) VALUES ('e00000', 'order', '"`+strings.Repeat("x", size)+`"')`)
	exec(t, db, `INSERT INTO outbox_event (event_id, event_type, payload_bytes) VALUES ('e00001', 'order', '`+strings.Repeat("x", size)+`')`)
	for i := range n { // the server copies the payload
		if i > 1 {
			exec(t, db, fmt.Sprintf("INSERT INTO outbox_event (event_id, event_type, payload_bytes) SELECT 'e%05d', event_type, payload_bytes FROM outbox_event WHERE event_id = 'e00001'", i))
		}
		exec(t, db, fmt.Sprintf("INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, payload_bytes, attempts, created_at, died_at, claim_no) "+
			"SELECT 'e%05d', %d, event_type, payload, payload_bytes, 1, %s, %s, 1 FROM outbox_event WHERE event_id = 'e%05d'", i, i+1, at, at, i))
	}
	var events, letters []int
	for after, page := (*driver.EventCursor)(nil), 0; page == 0 || after != nil && page < n; page++ {
		es, next, err := store.ListEvents(t.Context(), driver.EventFilter{}, after, 1000)
		must(t, err)
		events, after = append(events, len(es)), next
	}
	for after, page := (*driver.DeadCursor)(nil), 0; page == 0 || after != nil && page < n; page++ {
		ls, next, err := store.ListDead(t.Context(), driver.DeadFilter{}, after, 1000)
		must(t, err)
		letters, after = append(letters, len(ls)), next
	}
	if want := []int{fit, 1}; !slices.Equal(events, want) || !slices.Equal(letters, want) {
		t.Errorf("pages of %v events and %v letters, want %v", events, letters, want)
	}
}
