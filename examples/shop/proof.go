package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sendoff-go/outbox/examples/shop/internal/place"
)

// prove compares both databases: every order has exactly one invoice, every
// cancelled one exactly one credit note, of the same amount, and there are no
// others.
func prove(ctx context.Context, out io.Writer, shop, billing *place.Database) error {
	var errs []error
	for _, of := range []struct{ due, document, dueQuery, thereQuery string }{
		{"order", "invoice", `SELECT id, cents FROM orders`, `SELECT order_id, cents FROM invoices`},
		{"cancelled order", "credit note", `SELECT id, cents FROM orders WHERE status = 'cancelled'`, `SELECT order_id, cents FROM credit_notes`},
	} {
		due, err := amounts(ctx, shop, of.dueQuery)
		if err != nil {
			return err
		}
		there, err := amounts(ctx, billing, of.thereQuery)
		if err != nil {
			return err
		}
		wrong := compare(due, there, of.due, of.document)
		if wrong == nil {
			fmt.Fprintf(out, "proved   %d %ss, and each has exactly one %s\n", len(due), of.due, of.document)
		}
		errs = append(errs, wrong...)
	}
	if len(errs) > 10 {
		errs = append(errs[:10], fmt.Errorf("and %d more", len(errs)-10))
	}
	return errors.Join(errs...)
}

// amounts returns the cents of each row, by order.
func amounts(ctx context.Context, db *place.Database, query string) (map[string][]int64, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	all := map[string][]int64{}
	for rows.Next() {
		var order string
		var cents int64
		if err := rows.Scan(&order, &cents); err != nil {
			return nil, err
		}
		all[order] = append(all[order], cents)
	}
	return all, rows.Err()
}

func compare(due, there map[string][]int64, what, document string) (errs []error) {
	for id, cents := range due {
		switch have := there[id]; {
		case len(have) != 1:
			errs = append(errs, fmt.Errorf("%s %s has %d %ss, want 1", what, id, len(have), document))
		case have[0] != cents[0]:
			errs = append(errs, fmt.Errorf("%s %s has %d cents, but its %s has %d", what, id, cents[0], document, have[0]))
		}
	}
	for id, have := range there {
		if due[id] == nil {
			errs = append(errs, fmt.Errorf("%d %ss are for %s, and there is no such %s", len(have), document, id, what))
		}
	}
	return errs
}
