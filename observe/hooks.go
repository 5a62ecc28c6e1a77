package observe

import (
	"time"

	"github.com/sendoff-go/outbox"
)

// Hooks observe relays and consumers. Every function may be nil; none may block
// or panic, and all must be safe for concurrent use. The relay holds no lock
// while a hook runs, but its caller waits: count, or hand over to a goroutine.
// The hooks of one event are called in order. An event in a hook is valid only
// during the call. Lanes are event types that the process knows, so they are
// suitable as metric labels.
type Hooks struct {
	HotEnqueued  func(QueueInfo)       // events entered a hot queue
	HotDropped   func(QueueInfo)       // a hot queue had no room; the poller will deliver
	ColdEnqueued func(QueueInfo)       // claimed events entered a cold queue
	Delivered    func(DeliveredInfo)   // an event was handled
	Failed       func(FailedInfo)      // an attempt failed and will be repeated
	Dead         func(FailedInfo)      // an event was given up
	QueueDepths  func(QueueDepthsInfo) // at every claim, for the lanes in it
	OldestLag    func(LagInfo)         // at every look at the waiting lanes
	Unclaimed    func(LagInfo)         // a lane waits for which this process has no listener
	Claimed      func(StatementInfo)   // a claim was answered
	Settled      func(StatementInfo)   // a settle was answered
	Renewed      func(StatementInfo)   // a renewal was answered
	Recovered    func(QueueInfo)       // claimed events whose owner had disappeared
	Stuck        func(QueueInfo)       // listeners that outlived their deadline
	Breaker      func(BreakerInfo)     // a destination became unavailable or came back
	Paused       func(PausedInfo)      // a person has paused or resumed a destination
	Swept        func(StatementInfo)   // retention deleted rows
	LoopError    func(LoopErrorInfo)   // a background loop failed and will try again

	// Hooks of consumers, package inbox:

	Consumed      func(ConsumeInfo) // events and their effect were committed
	Duplicated    func(ConsumeInfo) // events were skipped: the group has had them
	ConsumeFailed func(ConsumeInfo) // a delivery failed and left nothing behind
	Forgotten     func(ConsumeInfo) // retention removed ids from the ledger
	CacheHit      func(ConsumeInfo) // the cache knew that the group has had events
	CacheMiss     func(ConsumeInfo) // the cache knew nothing, or did not answer
}

// QueueInfo is a number of events of a lane.
type QueueInfo struct {
	Lane string
	N    int
}

// QueueDepthsInfo is how many events of a lane wait in memory.
type QueueDepthsInfo struct {
	Lane      string
	Hot, Cold int
}

// LagInfo is how long the oldest due event of a lane has been waiting.
type LagInfo struct {
	Lane string
	Lag  time.Duration
}

// DeliveredInfo describes a delivery.
type DeliveredInfo struct {
	Event   *outbox.Event // read-only
	Attempt int
	Hot     bool
	Took    time.Duration
	// Waited is the time from the INSERT (hot) or the claim (cold) to the
	// start of the run, by the clock of the process.
	Waited time.Duration
	// Age is the time from when the event was written, or became due if it was
	// delayed, to the end of the delivery. For a cold event it spans the clocks
	// of the database and of the process, and is never less than Waited and Took.
	Age time.Duration
	// Target is the destination.
	Target string
}

// FailedInfo describes a failed attempt.
type FailedInfo struct {
	Event   *outbox.Event // read-only
	Attempt int
	Err     error
	Took    time.Duration
	// Counted is false for outages and for RetryAfter by itself.
	Counted bool
	// Next is the wait before the next attempt.
	Next time.Duration
}

// StatementInfo describes one statement of the relay.
type StatementInfo struct {
	Rows int
	// Stale counts rows that were no longer held. Unknown counts those of a
	// repeated statement: the first try may have ended the claim.
	Stale, Unknown int
	Took           time.Duration
	Err            error
}

// BreakerInfo describes a destination that became unavailable or came back.
type BreakerInfo struct {
	Target string
	Open   bool
	Err    error
}

// PausedInfo describes a destination that was paused or resumed. A pause is not
// an outage: a destination may be both paused and unavailable.
type PausedInfo struct {
	Target string
	Paused bool
}

// LoopErrorInfo describes a failure of a background loop.
type LoopErrorInfo struct {
	Loop string
	Err  error
}

// ConsumeInfo is a number of events of a consumer group. A cache hit is also a
// duplicate, and is reported as both.
type ConsumeInfo struct {
	Group string
	N     int
	// Took is how long the consumer, the clean-up or the cache took.
	Took time.Duration
	// Err is why a delivery failed, or why the cache did not answer.
	Err error
}

// Tee calls a and then b.
func Tee(a, b Hooks) Hooks {
	return Hooks{
		HotEnqueued:  tee(a.HotEnqueued, b.HotEnqueued),
		HotDropped:   tee(a.HotDropped, b.HotDropped),
		ColdEnqueued: tee(a.ColdEnqueued, b.ColdEnqueued),
		Delivered:    tee(a.Delivered, b.Delivered),
		Failed:       tee(a.Failed, b.Failed),
		Dead:         tee(a.Dead, b.Dead),
		QueueDepths:  tee(a.QueueDepths, b.QueueDepths),
		OldestLag:    tee(a.OldestLag, b.OldestLag),
		Unclaimed:    tee(a.Unclaimed, b.Unclaimed),
		Claimed:      tee(a.Claimed, b.Claimed),
		Settled:      tee(a.Settled, b.Settled),
		Renewed:      tee(a.Renewed, b.Renewed),
		Recovered:    tee(a.Recovered, b.Recovered),
		Stuck:        tee(a.Stuck, b.Stuck),
		Breaker:      tee(a.Breaker, b.Breaker),
		Paused:       tee(a.Paused, b.Paused),
		Swept:        tee(a.Swept, b.Swept),
		LoopError:    tee(a.LoopError, b.LoopError),

		Consumed:      tee(a.Consumed, b.Consumed),
		Duplicated:    tee(a.Duplicated, b.Duplicated),
		ConsumeFailed: tee(a.ConsumeFailed, b.ConsumeFailed),
		Forgotten:     tee(a.Forgotten, b.Forgotten),
		CacheHit:      tee(a.CacheHit, b.CacheHit),
		CacheMiss:     tee(a.CacheMiss, b.CacheMiss),
	}
}

func tee[T any](a, b func(T)) func(T) {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return func(v T) { a(v); b(v) }
}
