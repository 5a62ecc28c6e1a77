package relay

import (
	"errors"
	"log/slog"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
)

// teller tells the hooks and the log what the core noted and decided.
type teller struct {
	hooks    observe.Hooks
	log      *slog.Logger
	spells   *spells
	outages  *outages
	unrouted *unrouted
	turns    turns
}

// tell tells the hooks and the log what the core noted.
func (t *teller) tell(n *core.Note) {
	h := &t.hooks
	info := observe.QueueInfo{Lane: n.Lane, N: n.N}
	switch n.Kind {
	case core.NoteHotEnqueued:
		call(h.HotEnqueued, info)
	case core.NoteHotDropped:
		if n.Logged > 0 {
			t.log.Warn("outbox: hot queue is full, the poller will deliver", "event_type", n.Lane, "events", n.Logged)
		}
		call(h.HotDropped, info)
	case core.NoteColdEnqueued:
		call(h.ColdEnqueued, info)
	case core.NoteRecovered:
		call(h.Recovered, info)
	case core.NoteDepths:
		call(h.QueueDepths, observe.QueueDepthsInfo{Lane: n.Lane, Hot: n.Hot, Cold: n.N})
	case core.NoteStuck:
		t.log.Error("outbox: a listener ignores the end of its context and keeps its worker",
			"event_id", n.EventID, "event_type", n.Lane, "running", n.Wait)
		call(h.Stuck, info)
	case core.NoteStillAway:
		t.away(n)
	case core.NoteAway:
		t.away(n)
		t.outages.began(n.Target, n.Err)
		call(h.Breaker, observe.BreakerInfo{Target: n.Target, Open: true, Err: n.Err})
	case core.NoteHalfOpen:
		t.outages.halfOpened(n.Target)
		call(h.Breaker, observe.BreakerInfo{Target: n.Target, Err: n.Err})
	case core.NoteInVain:
		call(h.Breaker, observe.BreakerInfo{Target: n.Target, Open: true, Err: n.Err})
	case core.NoteBack:
		if lasted, _, tell := t.spells.over("away " + n.Target); tell {
			t.log.Info("outbox: destination is back", "target", n.Target, "lasted", lasted)
		}
		t.outages.ended(n.Target)
		call(h.Breaker, observe.BreakerInfo{Target: n.Target, Err: n.Err})
	case core.NotePaused:
		t.log.Info("outbox: destination is paused, its events wait", "target", n.Target)
		call(h.Paused, observe.PausedInfo{Target: n.Target, Paused: true})
	case core.NoteResumed:
		t.log.Info("outbox: destination is resumed", "target", n.Target)
		call(h.Paused, observe.PausedInfo{Target: n.Target})
	case core.NoteAbandoned:
		t.log.Error("outbox: the database refuses an outcome; the event will be delivered again after its lease",
			"event_id", n.EventID, "event_type", n.Lane, "outcome", n.Outcome.String(), "error", n.Err)
	case core.NoteLocked:
		t.log.Warn("outbox: another session has locked rows, and their outcomes wait for it", "events", n.N, "event_id", n.EventID)
	case core.NoteUnreported:
		t.log.Warn("outbox: a transaction was committed without calling done, so its events waited for the poller: call done of Track after every commit",
			"event_id", n.EventID, "event_type", n.Lane, "waited", n.Wait)
	case core.NoteUnlisted:
		t.unlisted(n)
	case core.NoteBug:
		t.log.Error("outbox: the relay made an invalid state transition; please report this", "event_type", n.Lane, "bug", n.Text)
	}
}

// away logs that a destination is not there, and each time that it still is not.
func (t *teller) away(n *core.Note) {
	if times, tell := t.spells.wrong("away " + n.Target); tell {
		t.log.Warn("outbox: destination is unavailable, its events wait", "target", n.Target, "probe_in", n.Wait, "times", times, "error", n.Err)
	}
}

// unlisted reports that the tenants of a lane could not be listed.
func (t *teller) unlisted(n *core.Note) {
	call(t.hooks.LoopError, observe.LoopErrorInfo{Loop: "list tenants", Err: n.Err})
	if times, tell := t.spells.wrongFor("tenants "+n.Lane, n.Wait); tell {
		t.log.Error("outbox: cannot list the tenants of the event type, so one may wait for another for a minute", "event_type", n.Lane, "failures", times, "error", n.Err)
	}
}

func call[T any](f func(T), v T) {
	if f != nil {
		f(v)
	}
}

// tellDecision calls the hooks for a decided event.
func (t *teller) tellDecision(d *core.Decision) {
	if d.Kind == driver.Done {
		if d.Attempt > 1 {
			t.recovered(d)
		}
		call(t.hooks.Delivered, observe.DeliveredInfo{
			Event: d.Event, Attempt: d.Attempt, Hot: d.Hot, Took: d.Took, Waited: d.Waited,
			Age: d.Age, Target: targetName(d),
		})
		return
	}
	info := observe.FailedInfo{Event: d.Event, Attempt: d.Attempt, Err: d.Err, Took: d.Took, Counted: d.Counted, Next: d.Next}
	switch d.Kind {
	case driver.Dead:
		t.log.Error("outbox: event is dead",
			traced(d.Event, "event_id", d.Event.ID, "event_type", d.Event.Type, "attempt", d.Attempt, "error", d.Err)...)
		call(t.hooks.Dead, info)
	case driver.Retry:
		t.failed(d)
		call(t.hooks.Failed, info)
	case driver.Release:
		if errors.Is(d.Err, driver.ErrUnroutable) {
			t.unrouted.aggregate(d.Event)
		}
		call(t.hooks.Failed, info)
	}
}

// failed logs a failed attempt: the first of a destination at once, so that an
// operator sees it before the last one, and then one a minute with their
// number.
func (t *teller) failed(d *core.Decision) {
	target := targetName(d)
	attrs := traced(d.Event, "target", target, "event_id", d.Event.ID, "event_type", d.Event.Type, "attempt", d.Attempt, "next", d.Next, "error", d.Err)
	if n, tell := t.spells.wrongFor("failing "+target, d.Next); tell {
		t.log.Warn("outbox: delivery fails and will be retried", append(attrs, "failures", n)...)
	} else {
		t.log.Debug("outbox: attempt failed", attrs...)
	}
}

// traced adds the event's trace id, if it has one, to what is logged after the
// delivery, whose context has ended.
func traced(e *outbox.Event, attrs ...any) []any {
	if id := driver.TraceIDOf(e); id != "" {
		return append(attrs, "trace_id", id)
	}
	return attrs
}

// recovered logs that an event was delivered that had failed before. Deliveries
// of other events do not end the spell: one bad event among good ones would
// begin and end a spell at each attempt.
func (t *teller) recovered(d *core.Decision) {
	target := targetName(d)
	if lasted, n, tell := t.spells.over("failing " + target); tell {
		t.log.Info("outbox: events that had failed were delivered", "target", target, "event_type", d.Event.Type, "failures", n, "lasted", lasted)
	}
}

// targetName returns the destination of a decision.
func targetName(d *core.Decision) string {
	if d.Item.Dest == nil {
		return "none"
	}
	return d.Item.Dest.Name
}
