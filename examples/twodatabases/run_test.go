package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEachOrderIsAnsweredAcrossTwoSQLiteFiles(t *testing.T) {
	dir := t.TempDir()
	allAnswered(t, filepath.Join(dir, "shop.db"), filepath.Join(dir, "warehouse.db"))
}

func TestEachOrderIsAnsweredAcrossTwoPostgresDatabases(t *testing.T) {
	allAnswered(t, testenv.Database(t, testenv.Postgres15), testenv.Database(t, testenv.Postgres15))
}

func allAnswered(t *testing.T, shop, warehouse string) {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), &out, shop, warehouse, 5); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for line, want := range map[string]int{
		"is placed\n":   5,
		"is reserved\n": 3,
		"is refused\n":  2,
		"The shop's database has 5 orders: 3 reserved, 2 refused, 0 not answered yet.\n": 1,
		"The warehouse's database has 3 reservations.\n":                                 1,
	} {
		if got := strings.Count(out.String(), line); got != want {
			t.Errorf("%q was printed %d times, want %d:\n%s", line, got, want, &out)
		}
	}
}

// stopper cancels at the first line that has a word.
type stopper struct {
	bytes.Buffer
	word string
	stop context.CancelFunc
}

func (s *stopper) Write(b []byte) (int, error) {
	if strings.Contains(string(b), s.word) {
		s.stop()
	}
	return s.Buffer.Write(b)
}

func TestAnInterruptEndsItAndTheNextRunGoesOn(t *testing.T) {
	dir := t.TempDir()
	shop, warehouse := filepath.Join(dir, "shop.db"), filepath.Join(dir, "warehouse.db")
	for _, word := range []string{"is placed", "warehouse: a lamp", "is reserved"} {
		ctx, stop := context.WithCancel(t.Context())
		out := &stopper{word: word, stop: stop}
		if err := run(ctx, out, shop, warehouse, 5); err != nil || ctx.Err() == nil {
			t.Fatalf("stopped when it printed %q: %v\n%s", word, err, out)
		}
		stop()
	}
	var out bytes.Buffer
	if err := run(t.Context(), &out, shop, warehouse, 1); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if !strings.Contains(out.String(), ", 0 not answered yet.\n") {
		t.Errorf("orders of the runs before are not answered:\n%s", &out)
	}
}
