package doctor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestDeadRowsAreFound(t *testing.T) {
	db, _ := migrated(t, testenv.Postgres15)
	exec(t, db, "ALTER TABLE outbox_event SET (autovacuum_enabled = off)")
	few := doctor.Options{Limits: doctor.Limits{DeadRows: 100}}
	wants(t, db, "bloat", few, doctor.OK, "outbox_event: 0%")
	exec(t, db, insert+strings.Repeat(", ('order-placed', '{}')", 500))
	exec(t, db, "DELETE FROM outbox_event")
	until(t, db, "bloat", few, doctor.Warning, "never vacuumed")
	exec(t, db, "VACUUM outbox_event")
	until(t, db, "bloat", few, doctor.OK, "vacuumed 20")
}

// MySQL 8.0.15 went on reporting no free space for minutes after such a DELETE, so
// there the question is only asked, in the test of a healthy outbox.
func TestFreeSpaceIsFound(t *testing.T) {
	for _, server := range []string{testenv.MariaDB, testenv.SQLite} {
		t.Run(server, func(t *testing.T) {
			db, _ := migrated(t, server)
			some := doctor.Options{Limits: doctor.Limits{FreeBytes: 1 << 20, DeadShare: 0.2}}
			wants(t, db, "bloat", some, doctor.OK, "")
			for i := range 16 {
				exec(t, db, fmt.Sprintf("INSERT INTO outbox_event (event_id, event_type, payload) VALUES ('%d', 'order-placed', '\"%s\"')", i, strings.Repeat("x", 512<<10)))
			}
			exec(t, db, "DELETE FROM outbox_event")
			until(t, db, "bloat", some, doctor.Warning, "of")
		})
	}
}
