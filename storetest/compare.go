package storetest

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func heldOf(cs []driver.Claimed) []driver.Held {
	hs := make([]driver.Held, len(cs))
	for i, c := range cs {
		hs[i] = c.Held
	}
	return hs
}

func idsOf(cs []driver.Claimed) []string {
	ids := make([]string, len(cs))
	for i, c := range cs {
		ids[i] = c.EventID
	}
	return ids
}

func eventIDs(hs []driver.Held) []string {
	ids := make([]string, len(hs))
	for i, h := range hs {
		ids[i] = h.EventID
	}
	return ids
}

// sameHeld compares without regard to order.
func (k *kit[Tx]) sameHeld(what string, got, want []driver.Held) {
	k.Helper()
	order := func(a, b driver.Held) int {
		return cmp.Or(cmp.Compare(a.EventID, b.EventID), cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.ClaimNo, b.ClaimNo))
	}
	got, want = slices.SortedFunc(slices.Values(got), order), slices.SortedFunc(slices.Values(want), order)
	if !slices.Equal(got, want) {
		k.Fatalf("%s: got %v, expected %v", what, got, want)
	}
}

// sameIDs compares without regard to order.
func (k *kit[Tx]) sameIDs(what string, got, want []string) {
	k.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		k.Fatalf("%s: got %v, expected %v", what, got, want)
	}
}

func samePosition(a, b driver.Position) bool {
	return a.Seq == b.Seq && a.AvailableAt.Equal(b.AvailableAt)
}

func sameFailure(a, b driver.Failure) bool {
	same := a.At.Equal(b.At)
	a.At, b.At = time.Time{}, time.Time{}
	return same && a == b
}

// difference says how a received event differs from the one written. The
// delivery time belongs to the row, not to the event.
func difference(got, want outbox.Event, resolution time.Duration) string {
	for _, f := range [...]struct{ name, got, want string }{
		{"ID", got.ID, want.ID},
		{"Type", got.Type, want.Type},
		{"AggregateType", got.AggregateType, cmp.Or(want.AggregateType, outbox.GlobalAggregate)},
		{"AggregateID", got.AggregateID, want.AggregateID},
		{"TenantID", got.TenantID, want.TenantID},
		{"CorrelationID", got.CorrelationID, want.CorrelationID},
		{"TraceID", got.TraceID, want.TraceID},
	} {
		if f.got != f.want {
			return fmt.Sprintf("%s is %q, want %q", f.name, f.got, f.want)
		}
	}
	switch {
	case !maps.Equal(got.Headers, want.Headers):
		return fmt.Sprintf("the headers are %q, want %q", got.Headers, want.Headers)
	case (got.JSON == nil) != (want.JSON == nil) || (got.Bytes == nil) != (want.Bytes == nil):
		return fmt.Sprintf("JSON set: %t, Bytes set: %t; want %t and %t", got.JSON != nil, got.Bytes != nil, want.JSON != nil, want.Bytes != nil)
	case !bytes.Equal(got.Payload(), want.Payload()):
		return fmt.Sprintf("the payload is %s, want %s", short(got.Payload()), short(want.Payload()))
	case !want.OccurredAt.IsZero() && !got.OccurredAt.Equal(want.OccurredAt.Truncate(resolution)):
		return fmt.Sprintf("OccurredAt is %s, want %s", got.OccurredAt, want.OccurredAt)
	}
	return ""
}

func short(b []byte) string {
	if len(b) > 80 {
		return fmt.Sprintf("%q... (%d bytes)", b[:80], len(b))
	}
	return fmt.Sprintf("%q", b)
}

// recordingHook admits everything with a head start and notes what it is told.
type recordingHook struct {
	headStart time.Duration

	mu                 sync.Mutex
	committed, dropped []outbox.Written
}

func (h *recordingHook) Admit([]outbox.Event, time.Time) time.Duration { return h.headStart }

func (h *recordingHook) Committed(ws []outbox.Written) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.committed = append(h.committed, ws...)
}

func (h *recordingHook) Dropped(ws []outbox.Written) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dropped = append(h.dropped, ws...)
}
