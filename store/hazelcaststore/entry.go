package hazelcaststore

import (
	"encoding/json"
	"fmt"

	"github.com/sendoff-go/outbox/driver"
)

// The states of an entry.
const (
	statusOpen      = "OPEN"      // written by a Tx that has not ended
	statusPending   = "PENDING"   // to be delivered
	statusDelivered = "DELIVERED" // kept for the retention time
	statusFailed    = "FAILED"    // on its way to the dead letters
)

// entry is the value of an event. Programs in Java read it as a
// HazelcastJsonValue; docs/hazelcast.md describes it. Times are microseconds
// since 1970 by the cluster's clock. What indexes and predicates look at stands
// first, so that a member need not read the payload.
type entry struct {
	Lane  string `json:"lane,omitempty"` // the event type, while it is pending
	Due   *int64 `json:"due,omitempty"`  // while it is pending
	Until int64  `json:"until"`          // of the claim or head start; 0: none
	Done  *int64 `json:"done,omitempty"` // when it was delivered, or died
	// Mend is when others may finish what a process has left half done.
	Mend   *int64 `json:"mend,omitempty"`
	Status string `json:"status"`
	Tx     string `json:"tx,omitempty"`

	Seq       int64           `json:"seq"`
	Claim     int64           `json:"claim"`
	Owner     driver.Owner    `json:"owner,omitempty"`
	Attempts  int             `json:"retryCount"`
	Recovered int             `json:"recovered,omitempty"`
	Created   int64           `json:"createdAt"`
	Error     string          `json:"failureReason,omitempty"`
	Failures  string          `json:"failures,omitempty"` // JSON text, as the relay wrote it
	ID        string          `json:"eventId"`
	Type      string          `json:"eventType"`
	Record    json.RawMessage `json:"eventRecord"`
}

// row is an entry with the text that the map has for it.
type row struct {
	entry
	raw []byte
}

func parseRow(raw []byte) (*row, error) {
	r := &row{raw: raw}
	if err := json.Unmarshal(raw, &r.entry); err != nil {
		return nil, fmt.Errorf("an entry that is not one of this store: %w", err)
	}
	if r.Status == statusFailed && r.Done == nil {
		return nil, fmt.Errorf("an entry that is not one of this store: event %s died at no time", r.ID)
	}
	return r, nil
}

func at(t int64) *int64 { return &t }
