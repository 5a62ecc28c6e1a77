package doctor_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/internal/testenv"
)

var three = []string{testenv.Postgres15, testenv.MySQL80, testenv.MariaDB}

func TestALongTransactionIsFound(t *testing.T) {
	onEach(t, three, func(t *testing.T, db *dburl.Handle, at string) {
		short := doctor.Options{Limits: doctor.Limits{LongTransaction: time.Millisecond}}
		release := hold(t, at, insert)
		until(t, db, "long-transactions", short, doctor.Warning, "open transactions: session")
		wants(t, db, "long-transactions", doctor.Options{Limits: doctor.Limits{LongTransaction: time.Hour}}, doctor.OK, "")
		release()
	})
}

func TestAPreparedTransactionIsFound(t *testing.T) {
	db, _ := migrated(t, testenv.Postgres15)
	n, err := db.Text(t.Context(), "SHOW max_prepared_transactions")
	if err != nil {
		t.Fatal(err)
	}
	if n == "0" {
		t.Log("this server has no prepared transactions: their part of the question is only executed")
		wants(t, db, "long-transactions", doctor.Options{}, doctor.OK, "")
		return
	}
	exec(t, db, "BEGIN; "+insert+"; PREPARE TRANSACTION 'doctor'")
	defer exec(t, db, "ROLLBACK PREPARED 'doctor'")
	until(t, db, "long-transactions", doctor.Options{Limits: doctor.Limits{LongTransaction: time.Millisecond}}, doctor.Warning, "prepared transaction doctor")
}

func TestASessionThatWaitsForALockIsFound(t *testing.T) {
	onEach(t, three, func(t *testing.T, db *dburl.Handle, at string) {
		end := waitForLock(t, db, at)
		until(t, db, "locks", doctor.Options{Limits: doctor.Limits{LockWait: time.Millisecond}}, doctor.Warning, "has waited for")
		end()
		until(t, db, "locks", doctor.Options{}, doctor.OK, "")
	})
}

// waitForLock has a session of the database wait for another, until end is called.
func waitForLock(t *testing.T, db *dburl.Handle, at string) (end func()) {
	t.Helper()
	exec(t, db, insert)
	const update = "UPDATE outbox_event SET attempts = attempts"
	release := hold(t, at, update)
	waits, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = db.Exec(waits, update) // waits until it is cancelled, or the other ends
	}()
	return func() {
		cancel()
		release()
		<-ended
	}
}

func TestASessionThatWaitsInAnotherDatabaseIsNoFinding(t *testing.T) {
	for _, server := range three {
		t.Run(server, func(t *testing.T) {
			db, _ := migrated(t, server)
			other, at := migrated(t, server)
			end := waitForLock(t, other, at)
			short := doctor.Options{Limits: doctor.Limits{LockWait: time.Millisecond}}
			until(t, other, "locks", short, doctor.Warning, "has waited for")
			wants(t, db, "locks", short, doctor.OK, "")
			end()
		})
	}
}

func TestALockedFileIsFound(t *testing.T) {
	db, at := migrated(t, testenv.SQLite)
	wants(t, db, "locks", doctor.Options{}, doctor.OK, "free")
	release := hold(t, at, insert)
	d := doctor.NewDatabase(db, doctor.Options{})
	all := d.Tables()
	if first := doctor.Run(t.Context(), all[:1], patience, 1)[0]; first.State != doctor.OK {
		t.Errorf("%s is %s: %s", first.Check, first.State, first.Seen)
	}
	found := doctor.Run(t.Context(), all, time.Second, d.Width())
	if last := found[len(found)-1]; last.Check != "locks" || last.State != doctor.Failure {
		t.Errorf("%s is %s: %s", last.Check, last.State, last.Seen)
	}
	release()
}
