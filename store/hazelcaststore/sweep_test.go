package hazelcaststore

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func TestAnEntryThatCannotBeReadStopsNoSweep(t *testing.T) {
	s := fresh(t, Config{})
	event := outbox.Event{Type: "Left", JSON: []byte(`1`)}
	ids := writeAll(t, s, event, event, event)
	owner := driver.NewOwner("a")
	cs, err := s.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "Left", Rows: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []driver.Outcome
	for _, c := range cs {
		outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
	if _, err := s.Settle(t.Context(), owner, outcomes, true); err != nil {
		t.Fatal(err)
	}
	spoil(t, s, ids[0], `"retryCount":0`, `"retryCount":"many"`)
	spoil(t, s, ids[1], `"DELIVERED"`, `"FAILED"`, `"done":`, `"mend":1,"was":`) // nobody knows when it died
	if n, err := s.Sweep(t.Context(), -time.Hour, 10); n != 1 || err != nil {
		t.Errorf("swept %d, error %v, expected the third", n, err)
	}
	mendLater(t, s)
}
