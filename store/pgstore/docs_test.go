package pgstore_test

import (
	"context"
	"database/sql"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

var (
	sqlBlock = regexp.MustCompile("(?s)```sql\n(.*?)```")
	grantee  = regexp.MustCompile(`\bTO (\w+);`)
)

// All SQL for PostgreSQL in the docs runs on the current tables. The SQL of
// docs/inbox.md is tested with a consumer, in internal/ledgertest.
func TestTheSQLOfThePagesRuns(t *testing.T) {
	db := openDB(t, testenv.Database(t, testenv.Postgres15))
	migrated(t, db)
	exec(t, db, "CREATE TABLE orders (id int, total int)")
	found := 0
	for _, page := range []string{"schema", "operations", "troubleshooting", "daemon", "tracing"} {
		text, err := os.ReadFile("../../docs/" + page + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range sqlBlock.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "?") || strings.Contains(m[1], "shop.") { // has parameters, or is for MySQL
				continue
			}
			found++
			if err := try(t.Context(), db, m[1]); err != nil {
				t.Errorf("docs/%s.md: %v:\n%s", page, err, m[1])
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d blocks were found", found)
	}
}

// try runs a block in a transaction that is rolled back, with the roles that it
// grants to, and with this database in place of the one in the text.
func try(ctx context.Context, db *sql.DB, block string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // keep nothing
	var name string
	if err := tx.QueryRowContext(ctx, "SELECT current_database()").Scan(&name); err != nil {
		return err
	}
	block = strings.NewReplacer("BEGIN;", "", "COMMIT;", "", "DATABASE shop", `DATABASE "`+name+`"`).Replace(block)
	roles := map[string]bool{}
	for _, m := range grantee.FindAllStringSubmatch(block, -1) {
		if !roles[m[1]] {
			roles[m[1]] = true
			if _, err := tx.ExecContext(ctx, "CREATE ROLE "+m[1]); err != nil {
				return err
			}
		}
	}
	for _, statement := range strings.Split(block, ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
