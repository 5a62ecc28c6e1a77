package doctor

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// indexes looks for those that are missing or invalid.
func (d *Database) indexes(ctx context.Context) (Answer, error) {
	rows, asked, err := d.ask(ctx, "indexes")
	if err != nil || !asked {
		return d.none("indexes to look for"), err
	}
	if len(rows) == 0 {
		return d.fairIndex(ctx)
	}
	var seen, do []string
	for _, r := range rows { // name, what is wrong, the statement that makes it
		seen, do = append(seen, r[0]+" "+r[1]), append(do, r[2])
	}
	return Fail("create it: "+some(do), "%s", some(seen)), nil
}

// fairIndex looks for the index that only fair claims need.
func (d *Database) fairIndex(ctx context.Context) (Answer, error) {
	if !d.limits.Fair {
		return Okay("all are there"), nil
	}
	err := d.db.Store.CheckFair(ctx)
	if errors.Is(err, outbox.ErrSchema) {
		return Fail("run `outbox migrate up --fair`", "the one for fair claims is missing or invalid, and the configuration has fair-by-tenant"), nil
	}
	return Okay("all are there, including the one for fair claims"), err
}

// plan asks how the claim would be executed, without executing it.
func (d *Database) plan(ctx context.Context) (Answer, error) {
	resolved, err := sqlstore.Resolve(d.db.Dialect(), d.db.Tables())
	if err != nil {
		return Answer{}, err
	}
	index := resolved.Table + "_pending"
	rows, err := d.db.Rows(ctx, d.dialect.explain+" "+resolved.Queries.Claim.SQL, d.dialect.claim...)
	if err != nil {
		if err := d.db.Problem("", err); d.dialect.noIndex == "" || !strings.Contains(err.Error(), d.dialect.noIndex) {
			return Answer{}, err
		}
		return Fail("create the index that the check of indexes names, or nothing is delivered", "the claim needs the index %s, which is not there", index), nil
	}
	for _, r := range rows {
		if strings.Contains(strings.Join(r, " "), index) {
			return Okay("the claim uses %s", index), nil
		}
	}
	size, asked, err := d.ask(ctx, "size")
	if err != nil || !asked || len(size) != 1 {
		return Warn("create the index that the check of indexes names", "the claim does not use %s, so it reads the whole table", index), err
	}
	n, _ := strconv.ParseInt(size[0][0], 10, 64)
	if n < d.limits.PlannedRows {
		return Okay("the claim reads the whole table, which has few rows"), nil
	}
	return Warn("create the index if it is missing, and ANALYZE the table", "the claim reads all of about %d rows instead of %s", n, index), nil
}
