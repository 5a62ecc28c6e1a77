package daemon

import (
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// settings is the lane of an event type under a configuration.
func settings(t *testing.T, content, eventType string) relay.LaneConfig {
	t.Helper()
	r := load(t, newFile(t), content)
	t.Cleanup(func() { _ = r.d.senders.close() })
	return r.d.lane(r.d.config.Publisher.Events[r.d.entry(eventType)].Lane)
}

func waits(p retry.Policy, n int) (all []time.Duration) {
	for k := range n {
		all = append(all, p.Delay(k+1))
	}
	return all
}

const sending = "outbox: {publisher: {sender: {type: http, url: 'http://localhost:1'}, "

func TestMaxRetriesIsThatManyAttemptsAndOneMore(t *testing.T) {
	if l := settings(t, sending+"events: {a: {}}}}", "a"); l.MaxAttempts != 4 {
		t.Errorf("%d attempts by default", l.MaxAttempts)
	}
	if l := settings(t, sending+"events: {a: {max-retries: 0}}}}", "a"); l.MaxAttempts != 1 {
		t.Errorf("%d attempts without retries", l.MaxAttempts)
	}
}

func TestWaitsAreTheManuals(t *testing.T) {
	s := time.Second
	for _, c := range []struct {
		backoff string
		want    []time.Duration
	}{
		{"{}", []time.Duration{10 * s, 30 * s, 90 * s, 270 * s}},
		{"{enabled: false}", []time.Duration{10 * s, 10 * s, 10 * s}},
		{"{delay: 5s, multiplier: 2}", []time.Duration{5 * s, 10 * s, 20 * s}},
		{"{max-delay: 60s}", []time.Duration{10 * s, 30 * s, 60 * s, 60 * s}},
		{"{delay: 0}", []time.Duration{0, 0, 0}},
		{"{multiplier: 1.5}", []time.Duration{10 * s, 15 * s, 22500 * time.Millisecond}},
	} {
		l := settings(t, sending+"events: {a: {backoff: "+c.backoff+"}}}}", "a")
		if got := waits(l.Retry, len(c.want)); !slices.Equal(got, c.want) {
			t.Errorf("%s waits %v, want %v", c.backoff, got, c.want)
		}
	}
	l := settings(t, sending+"events: {a: {backoff: {jitter: 0.5}}}}}", "a")
	spread := map[time.Duration]bool{}
	for range 50 {
		d := l.Retry.Delay(1)
		if spread[d] = true; d < 5*s || d > 15*s {
			t.Errorf("waits %s with jitter", d)
		}
	}
	if len(spread) < 2 {
		t.Error("jitter does not spread")
	}
}

func TestTheOtherKeysOfALane(t *testing.T) {
	l := settings(t, "outbox: {thread-pool-size: 3, publisher: {stuck-recovery: {max-batch-processing-time: 7s}, sender: {type: http, url: 'http://x'}, events: {'order-*': {batch-size: 20, queue-capacity: 9, fixed-delay: 1500}}}}", "order-new")
	if l.Workers != 3 || l.Timeout != 7*time.Second || l.Batch != 20 || l.DeliverBatch != 20 || l.ColdQueue != 20 || l.Interval != 1500*time.Millisecond || !l.NoHotPath {
		t.Errorf("got %+v", l)
	}
}

func TestRetentionIsForeverWithoutCleanUpAndNoneWithoutATTL(t *testing.T) {
	for c, want := range map[config.CleanUp]relay.Delivered{
		{Enabled: false, TTL: 5}: relay.KeepForever, {Enabled: true}: relay.DeleteAtSettle, {Enabled: true, TTL: 5}: relay.KeepForRetention,
	} {
		if got := delivered(c); got != want {
			t.Errorf("%+v is %d, want %d", c, got, want)
		}
	}
}

func TestAStarIsEveryTypeWithoutASlash(t *testing.T) {
	r := load(t, newFile(t), "outbox: {publisher: {sender: {type: log}, events: {'*': {}, '*/*': {}}}}")
	for eventType, want := range map[string]string{"created": "*", "acme/created": "*/*", "com/acme/created": ""} {
		if got := r.d.entry(eventType); got != want {
			t.Errorf("%s belongs to %q, want %q", eventType, got, want)
		}
	}
}
