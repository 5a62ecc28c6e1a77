package dialecttest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// longSearch looks for a text that only the earliest of many letters has: the
// first page is empty and has a next one.
func longSearch(t *testing.T, s Subject) {
	const n = 10_400
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	for from := 1; from <= n; from += 400 {
		var rows []string
		for i := from; i < from+400; i++ {
			at := fmt.Sprintf("TIMESTAMP '2026-01-01 00:%02d:%02d'", i/400, i/10%60)
			if s.Dialect.Name == "SQLite" {
				at = fmt.Sprint(i)
			}
			reason := "refused"
			if i == 1 || i == 2 {
				reason = "lost by the carrier"
			}
			rows = append(rows, fmt.Sprintf("('e%05d', %d, 'order', '1', 1, %s, %s, '%s', 1)", i, i, at, at, reason))
		}
		exec(t, db, "INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, created_at, died_at, last_error, claim_no) VALUES "+strings.Join(rows, ", "))
	}
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
	const n = 10_400
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	for from := 1; from <= n; from += 400 {
		var rows []string
		for i := from; i < from+400; i++ {
			tenant := "other"
			if i == 1 || i == 2 {
				tenant = "acme"
			}
			rows = append(rows, fmt.Sprintf("('e%05d', 'order', '1', '%s')", i, tenant))
		}
		exec(t, db, "INSERT INTO outbox_event (event_id, event_type, payload, tenant_id) VALUES "+strings.Join(rows, ", "))
	}
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
	const n = 5_200
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	for from := 1; from <= n; from += 400 {
		var rows []string
		for i := from; i < from+400; i++ {
			by := "bob"
			if i == 1 || i == 2 {
				by = "ann"
			}
			rows = append(rows, fmt.Sprintf(`('%s', 'retry', '["e%05d"]', '')`, by, i))
		}
		exec(t, db, "INSERT INTO outbox_audit (actor, action, subjects, note) VALUES "+strings.Join(rows, ", "))
	}
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
	const n = 5_200
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	for from := 1; from <= n; from += 400 {
		var rows []string
		for i := from; i < from+400; i++ {
			action := "retry"
			if i == 1 || i == 2 {
				action = "erase"
			}
			rows = append(rows, fmt.Sprintf("('e%05d', '%s', '{}', 'ann', '', 1, %s, 'done')", i, action, falseOf(s)))
		}
		exec(t, db, "INSERT INTO outbox_job (job_id, action, spec, actor, note, matches, matches_more, state) VALUES "+strings.Join(rows, ", "))
	}
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

func falseOf(s Subject) string {
	if s.Dialect.Name == "SQLite" {
		return "0"
	}
	return "false"
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
	payload := `'"` + strings.Repeat("x", size) + `"'`
	at := "TIMESTAMP '2026-01-01 00:00:00'"
	if s.Dialect.Name == "SQLite" {
		at = "1"
	}
	for i := range n {
		exec(t, db, fmt.Sprintf("INSERT INTO outbox_event (event_id, event_type, payload) VALUES ('e%05d', 'order', %s)", i, payload))
		exec(t, db, fmt.Sprintf("INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, created_at, died_at, claim_no) VALUES ('e%05d', %d, 'order', %s, 1, %s, %s, 1)", i, i+1, payload, at, at))
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
