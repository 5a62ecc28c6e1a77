package main

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/examples/shop/internal/billing"
	"github.com/sendoff-go/outbox/examples/shop/internal/orders"
	"github.com/sendoff-go/outbox/examples/shop/internal/place"
	"github.com/sendoff-go/outbox/sink/memsink"
)

func TestTheProofFindsEveryMistake(t *testing.T) {
	for name, c := range map[string]struct{ inShop, inBilling, want string }{
		"an invoice is missing":            {"", "DELETE FROM invoices WHERE order_id = 'a'", "order a has 0 invoices, want 1"},
		"an invoice is there twice":        {"", "INSERT INTO invoices VALUES ('3', 'a', 100)", "order a has 2 invoices, want 1"},
		"an invoice has another amount":    {"", "UPDATE invoices SET cents = 101 WHERE order_id = 'a'", "order a has 100 cents, but its invoice has 101"},
		"an invoice has no order":          {"DELETE FROM orders WHERE id = 'a'", "", "1 invoices are for a, and there is no such order"},
		"a credit note is missing":         {"", "DELETE FROM credit_notes", "cancelled order b has 0 credit notes, want 1"},
		"a credit note is there twice":     {"", "INSERT INTO credit_notes VALUES ('2', 'b', 200)", "cancelled order b has 2 credit notes, want 1"},
		"a credit note is for a sold item": {"UPDATE orders SET status = 'placed'", "", "1 credit notes are for b, and there is no such cancelled order"},
		"nothing is wrong":                 {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			shop, billing := filled(t)
			execute(t, shop, c.inShop)
			execute(t, billing, c.inBilling)
			err := prove(t.Context(), io.Discard, shop, billing)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// filled has two orders, one of which was cancelled, with their documents.
func filled(t *testing.T) (sold, billed *place.Database) {
	t.Helper()
	all, err := place.Create(t.Context(), "", "shop", "billing")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := place.Remove(all); err != nil {
			t.Error(err)
		}
	})
	sink, err := memsink.New(memsink.Config{})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	if _, err := orders.New(t.Context(), orders.Config{Database: all[0], Sink: sink, Destination: "orders", Logger: log}); err != nil {
		t.Fatal(err)
	}
	if _, err := billing.New(t.Context(), billing.Config{Database: all[1], Trouble: &billing.Trouble{}, Logger: log}); err != nil {
		t.Fatal(err)
	}
	execute(t, all[0], "INSERT INTO orders VALUES ('a', 'ann', 100, 'placed'), ('b', 'bob', 200, 'cancelled')")
	execute(t, all[1], "INSERT INTO invoices VALUES ('1', 'a', 100), ('2', 'b', 200)")
	execute(t, all[1], "INSERT INTO credit_notes VALUES ('1', 'b', 200)")
	return all[0], all[1]
}

func execute(t *testing.T, db *place.Database, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}
