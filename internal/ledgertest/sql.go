package ledgertest

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// SQL makes subjects of a store on database/sql whose tables exist. They share
// the tables, one after the other, since creating them takes longer than most
// laws. Effects are rows of a table that it creates. Older is the SQL that
// makes consumed_at older by %d microseconds.
func SQL(t testing.TB, db *sql.DB, store, peer *sqlstore.Store, older string) inboxtest.Open[*sql.Tx] {
	t.Helper()
	exec(t, db, "CREATE TABLE effects (who varchar(128) NOT NULL, what varchar(36) NOT NULL)")
	return func(t testing.TB) inboxtest.Subject[*sql.Tx] {
		t.Helper()
		exec(t, db, "DELETE FROM outbox_consumed_event", "DELETE FROM effects")
		return subject(db, store, peer, older)
	}
}

func exec(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

func subject(db *sql.DB, store, peer *sqlstore.Store, older string) inboxtest.Subject[*sql.Tx] {
	return inboxtest.Subject[*sql.Tx]{
		Ledger: store,
		Peer:   peer,
		Effect: func(ctx context.Context, tx *sql.Tx, group, id string) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO effects VALUES ("+literal(group)+", "+literal(id)+")")
			return err
		},
		Effects: func(ctx context.Context, group string) (map[string]int, error) {
			rows, err := db.QueryContext(ctx, "SELECT what FROM effects WHERE who = "+literal(group))
			if err != nil {
				return nil, err
			}
			defer func() { _ = rows.Close() }() // Err reports what Close would
			counts := map[string]int{}
			for rows.Next() {
				var id string
				if err := rows.Scan(&id); err != nil {
					return nil, err
				}
				counts[id]++
			}
			return counts, rows.Err()
		},
		Savepoint: func(ctx context.Context, tx *sql.Tx, name string) error {
			_, err := tx.ExecContext(ctx, "SAVEPOINT "+name)
			return err
		},
		RollbackTo: func(ctx context.Context, tx *sql.Tx, name string) error {
			_, err := tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT "+name)
			return err
		},
		Age: func(ctx context.Context, group string, by time.Duration, ids ...string) error {
			_, err := db.ExecContext(ctx, "UPDATE outbox_consumed_event SET consumed_at = "+fmt.Sprintf(older, by.Microseconds())+
				" WHERE consumer_group = "+literal(group)+" AND event_id IN ("+literals(ids)+")")
			return err
		},
	}
}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func literals(all []string) string {
	quoted := make([]string, len(all))
	for i, s := range all {
		quoted[i] = literal(s)
	}
	return strings.Join(quoted, ", ")
}
