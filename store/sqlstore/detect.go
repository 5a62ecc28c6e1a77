package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox"
)

// Detect finds out which of the given dialects a database speaks: it sends the
// probe of each, in order, and takes the first dialect that knows the answer.
func Detect(ctx context.Context, db *sql.DB, dialects ...Dialect) (Dialect, error) {
	if err := db.PingContext(ctx); err != nil {
		return Dialect{}, fmt.Errorf("%w: detect: %w", outbox.ErrStoreDown, err)
	}
	var names []string
	var errs error
	for _, d := range dialects {
		var answer string
		err := db.QueryRowContext(ctx, d.Probe).Scan(&answer)
		if err == nil && d.Knows(answer) {
			return d, nil
		}
		if err == nil {
			err = fmt.Errorf("%q answered with %q", d.Probe, answer)
		}
		names = append(names, d.Name)
		errs = errors.Join(errs, fmt.Errorf("%s: %w", d.Name, err))
	}
	return Dialect{}, fmt.Errorf("outbox: the database is none of %s: pass the dialect that it speaks: %w", strings.Join(names, ", "), errs)
}
