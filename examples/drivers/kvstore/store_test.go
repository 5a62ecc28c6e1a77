package kvstore_test

import (
	"context"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/examples/drivers/kvstore"
	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStoreKeepsTheLaws(t *testing.T) { storetest.Run(t, open, oracle) }

// open gives a fresh store, and what the suite needs to look at it.
func open(t testing.TB) storetest.Subject[*kvstore.Tx] {
	s := openFile(t, filepath.Join(t.TempDir(), "db.json"))
	return storetest.Subject[*kvstore.Tx]{
		Store:  s,
		Change: func(_ context.Context, tx *kvstore.Tx) error { return tx.Set("changed", "yes") },
		Changes: func(ctx context.Context) (int, error) {
			_, found, err := s.Get(ctx, "changed")
			return map[bool]int{true: 1}[found], err
		},
		Expire:         s.Expire,
		OneTransaction: true, // while one is open, everybody else waits
	}
}

// oracle is the model that the random law compares the store with.
func oracle(testing.TB) storetest.Subject[*memstore.Tx] {
	s := memstore.New(memstore.Config{})
	return storetest.Subject[*memstore.Tx]{Store: s, Expire: s.Expire}
}

func openFile(t testing.TB, path string) *kvstore.Store {
	t.Helper()
	s, err := kvstore.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhatWasCommittedIsThereAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db.json")
	w := outbox.NewWriter(openFile(t, path))
	event := outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"b": 1,  "a": 2.0}`), Headers: map[string]string{"é": "\x00"}}
	err := w.InTx(t.Context(), func(ctx context.Context, tx *kvstore.Tx) error {
		_, err := w.Write(ctx, tx, event)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for number := range int64(2) { // the second time the claim is found that the first made
		cs, err := openFile(t, path).Claim(t.Context(), driver.ClaimRequest{
			Owner: driver.NewOwner("a"), Wants: []driver.Want{{Lane: "OrderPlaced", Rows: 10}},
		})
		if err != nil || len(cs) != 1 || cs[0].ClaimNo != number+1 || string(cs[0].Event.JSON) != string(event.JSON) || cs[0].Event.Headers["é"] != "\x00" {
			t.Fatalf("claimed %+v, error %v", cs, err)
		}
	}
}
