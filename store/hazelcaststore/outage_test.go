package hazelcaststore

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/hazelrig"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// unanswered is a store whose cluster hangs since before its first call.
func unanswered(t testing.TB) *Store {
	t.Helper()
	p := faultproxy.New(t, hazelrig.Address(t))
	cfg := clientConfig(p.Addr())
	cfg.Cluster.Unisocket = true
	client := start(t, cfg)
	t.Cleanup(func() {
		p.Pass()
		end(client)
	})
	p.Hang()
	return newStore(t, client, Config{CallTimeout: 200 * time.Millisecond})
}

func TestAClusterThatReturnsIsUsedAgain(t *testing.T) {
	server := testenv.Control(t, testenv.Hazelcast)
	s := newStore(t, apart(t, clientConfig(hazelrig.Address(t))), Config{Name: "returns", CallTimeout: 2 * time.Second})
	server.Crash()
	_, err := s.Lanes(t.Context(), "", 10)
	if !errors.Is(err, outbox.ErrStoreDown) {
		t.Fatalf("the cluster is away before the first call: %v, expected ErrStoreDown", err)
	}
	server.Start()
	w := outbox.NewWriter(s)
	write := func() error {
		return w.InTx(t.Context(), func(ctx context.Context, tx *Tx) error {
			_, err := w.Write(ctx, tx, outbox.Event{Type: "Written", JSON: []byte(`1`)})
			return err
		})
	}
	await.Until(t, "the cluster takes events", func() bool { return write() == nil })

	server.Crash()
	began := time.Now()
	if err := write(); !errors.Is(err, outbox.ErrStoreDown) && !errors.Is(err, outbox.ErrCommitUnknown) {
		t.Errorf("the cluster went away: %v, expected ErrStoreDown", err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("the call took %s, its limit is 2 s", took)
	}
	server.Start() // its memory is gone, and so are the indexes
	a := driver.NewOwner("a")
	await.Until(t, "the cluster takes events again", func() bool { return write() == nil })
	await.Until(t, "they can be claimed", func() bool {
		cs, err := s.Claim(t.Context(), driver.ClaimRequest{Owner: a, Lease: time.Minute, Wants: []driver.Want{{Lane: "Written", Rows: 10}}})
		return err == nil && len(cs) > 0
	})
}

func TestSettingsThatCannotWorkAreNamed(t *testing.T) {
	if _, err := New(nil, Config{Name: "a b", CallTimeout: -1, OpenLimit: math.MaxInt64}); !errors.Is(err, driver.ErrName) ||
		!contains(err, "StartNewClientWithConfig", `"a b"`, "CallTimeout", "OpenLimit is") {
		t.Errorf("got %v, expected each setting by its name", err)
	}
}
