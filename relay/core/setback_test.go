package core_test

import (
	"testing"
	"time"
	"unsafe"

	"github.com/sendoff-go/outbox/relay/core"
)

// setBack returns the time that [time.Now] gives after somebody has set the clock
// back: its wall clock differs, its monotonic clock does not.
func setBack(now time.Time, by time.Duration) time.Time {
	t := (*struct {
		wall uint64
		_    int64
		_    *time.Location
	})(unsafe.Pointer(&now))
	const monotonic, second = 1 << 63, 1 << 30
	if t.wall&monotonic != 0 {
		t.wall -= uint64(by/time.Second) * second
	}
	return now
}

func TestARetryIsNotDelayedWhenTheClockIsSetBack(t *testing.T) {
	r := newRig(t, false)
	start := r.now
	r.claim(row("x", 1))
	r.finish(r.runs("x")[0], core.Answer{Kind: core.Failed, Retry: 100 * time.Millisecond})
	r.settle()
	r.claimed() // nothing is left
	r.now = setBack(start.Add(300*time.Millisecond), time.Hour)
	if d := r.now.Sub(start); d != 300*time.Millisecond {
		t.Fatalf("%s passed by the monotonic clock", d)
	}
	if p := r.poll(); len(p.Wants) == 0 {
		t.Errorf("the retry is due, and the poller waits for %s", p.Wait)
	}
}
