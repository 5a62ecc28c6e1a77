package outboxtest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestALostAnswerDoesNotTellWhatIsLocked(t *testing.T) {
	s := memstore.New(memstore.Config{})
	write(t, outbox.NewWriter(s), nil, outbox.Event{Type: "A", JSON: []byte("1")})
	cs, err := s.Claim(t.Context(), driver.ClaimRequest{Owner: "o", Lease: time.Hour, Wants: []driver.Want{{Lane: "A", Rows: 1}}})
	if err != nil || len(cs) != 1 {
		t.Fatalf("claimed %v, %v", cs, err)
	}
	defer s.LockRow(cs[0].EventID)()
	f := outboxtest.NewFlakyStore(s)
	for fault, locked := range map[outboxtest.Fault]bool{outboxtest.LoseAnswer: false, outboxtest.None: true} {
		f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return fault })
		_, err := f.Settle(t.Context(), "o", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Done}}, true)
		if errors.As(err, new(*driver.LockedError)) != locked || errors.Is(err, outbox.ErrStoreDown) == locked {
			t.Errorf("fault %d: error %v", fault, err)
		}
	}
}
