package hazelcaststore

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func writeAll(t testing.TB, s *Store, es ...outbox.Event) []string {
	t.Helper()
	w := outbox.NewWriter(s)
	var ids []string
	err := w.InTx(t.Context(), func(ctx context.Context, tx *Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// More events are due at one moment than a window may hold.
func TestEventsOfOneMomentComeInTheOrderOfWriting(t *testing.T) {
	s := fresh(t, Config{})
	const n = 3*maxWindow + 7
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: "Left", JSON: []byte(`1`), AvailableAt: time.Unix(1_700_000_000, 0)}
	}
	ids := writeAll(t, s, es...)
	var got []string
	for len(got) < n {
		cs := claimAll(t, s)
		if len(cs) == 0 {
			break
		}
		for _, c := range cs {
			got = append(got, c.EventID)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(ids) {
		t.Errorf("claimed %d of %d events, or in another order", len(got), n)
	}
}

// Numbers that fit into 32 bits must not be another type to the index.
func TestEventsOfTheFirstSecondsOf1970ComeFirst(t *testing.T) {
	s := fresh(t, Config{})
	var es []outbox.Event
	for _, due := range []int64{1, 0, -5, 1 << 40, 7, -1 << 50, 1 << 31} {
		es = append(es, outbox.Event{Type: "Left", JSON: []byte(`1`), AvailableAt: time.UnixMicro(due)})
	}
	ids := writeAll(t, s, append(es, outbox.Event{Type: "Left", JSON: []byte(`1`)})...)
	want := []string{ids[5], ids[2], ids[1], ids[0], ids[4], ids[6], ids[3], ids[7]}
	var got []string
	for range 4 {
		cs, err := s.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "Left", Rows: 2}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cs {
			got = append(got, c.EventID)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("claimed %v, expected %v", got, want)
	}
	if ls, err := s.Lanes(t.Context(), "", 10); err != nil || len(ls) != 1 {
		t.Errorf("lanes %v, error %v", ls, err)
	}
}

// A program that changes entries may break one.
func TestAnEntryThatCannotBeReadStopsNoOther(t *testing.T) {
	s := fresh(t, Config{})
	event := outbox.Event{Type: "Left", JSON: []byte(`1`)}
	ids := writeAll(t, s, event, event, event)
	spoil(t, s, ids[0], `"aggregateType":"`, `"headers":{"a":1},"aggregateType":"`)
	spoil(t, s, ids[1], `"retryCount":0`, `"retryCount":"many"`)
	cs := claimAll(t, s)
	if len(cs) != 2 || cs[0].EventID != ids[0] || cs[0].Problem == nil || cs[1].EventID != ids[2] || cs[1].Problem != nil {
		t.Fatalf("claimed %+v, expected the first with a problem and the third without", cs)
	}
	mendLater(t, s)
}

func TestEightClaimersNeverGetOneRowTwice(t *testing.T) {
	s := fresh(t, Config{})
	const n = 800
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: "Left", JSON: []byte(`1`)}
	}
	writeAll(t, s, es...)
	var mu sync.Mutex
	got := map[string]int{}
	var wg sync.WaitGroup
	for i := range 8 {
		one, owner := newStore(t, connect(t), s.cfg), driver.NewOwner(fmt.Sprint(i))
		wg.Go(func() {
			for {
				cs, err := one.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "Left", Rows: 25}}})
				if err != nil {
					t.Errorf("claim: %v", err)
					return
				}
				mu.Lock()
				for _, c := range cs {
					got[c.EventID]++
				}
				enough := len(got) == n
				mu.Unlock()
				if enough || t.Failed() {
					return
				}
			}
		})
	}
	wg.Wait()
	for id, times := range got {
		if times != 1 {
			t.Errorf("event %s was claimed %d times", id, times)
		}
	}
}
