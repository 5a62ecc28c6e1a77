package doctor_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
)

var dead = map[string]string{
	"PostgreSQL": "now()", "MySQL": "UTC_TIMESTAMP(6)", "SQLite": "unixepoch() * 1000",
}

// later is a clock that is ahead, by which what is stored is that old.
func later(d time.Duration) func() time.Time { return func() time.Time { return time.Now().Add(d) } }

func TestDeadLettersThatNobodyLooksAtAreFound(t *testing.T) {
	onEach(t, servers, func(t *testing.T, db *dburl.Handle, _ string) {
		wants(t, db, "dead-letters", doctor.Options{}, doctor.OK, "none is open")
		exec(t, db, "INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, created_at, claim_no) VALUES ('a', 1, 'order-placed', '{}', 3, "+dead[db.Dialect().Name]+", 1)")
		day := 24 * time.Hour
		wants(t, db, "dead-letters", doctor.Options{Now: later(6 * day)}, doctor.OK, "1 dead letter is open")
		wants(t, db, "dead-letters", doctor.Options{Now: later(8 * day)}, doctor.Warning, "open for longer than 7 days")
		wants(t, db, "dead-letters", doctor.Options{Now: later(6 * day), Limits: doctor.Limits{ResolvedRetention: 5 * day}}, doctor.Warning, "the retention of resolved ones")

		wants(t, db, "consumed-ids", doctor.Options{Now: later(2 * day)}, doctor.OK, "no consumer")
		exec(t, db, "INSERT INTO outbox_consumed_event (consumer_group, event_id) VALUES ('billing', 'a')")
		wants(t, db, "consumed-ids", doctor.Options{}, doctor.OK, "ids are kept for")
		wants(t, db, "consumed-ids", doctor.Options{Now: later(2 * day)}, doctor.Warning, "1 dead letter is older than the retention of consumed ids")
	})
}

func TestEventsOlderThanConsumedIDsAreFound(t *testing.T) {
	onEach(t, servers, func(t *testing.T, db *dburl.Handle, _ string) {
		exec(t, db, "INSERT INTO outbox_consumed_event (consumer_group, event_id) VALUES ('billing', 'a')")
		exec(t, db, insert)
		wants(t, db, "consumed-ids", doctor.Options{Limits: doctor.Limits{ConsumedRetention: time.Hour}}, doctor.OK, "")
		until(t, db, "consumed-ids", doctor.Options{Limits: doctor.Limits{ConsumedRetention: time.Millisecond}}, doctor.Warning, "an event that is not delivered yet")
	})
}
