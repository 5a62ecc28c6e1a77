package memstore_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestARowLockedTwiceIsFreeAfterBothHaveReleasedIt(t *testing.T) {
	s := memstore.New(memstore.Config{})
	tx, err := s.BeginTx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Insert(t.Context(), tx, outbox.InsertRequest{Events: []outbox.Event{{ID: "x", Type: "T", JSON: []byte("1")}}}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	first, second, none := s.LockRow("x"), s.LockRow("x"), s.LockRow("y")
	claimed := func() int {
		cs, err := s.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		return len(cs)
	}
	none()
	first()
	first()
	if n := claimed(); n != 0 {
		t.Errorf("claimed %d, though one of two locks is still held", n)
	}
	if n, err := s.ExpireWritten(t.Context(), 0, 10); n != 0 || err != nil {
		t.Errorf("expired %d, error %v: expected a locked row to stay", n, err)
	}
	second()
	if n := claimed(); n != 1 {
		t.Errorf("claimed %d, expected the row that is no longer locked", n)
	}
}
