package sim

import (
	"fmt"
	"reflect"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// fill gives an event contents of its own.
func (w *world) fill(e *outbox.Event) {
	size := w.rand.IntN(40)
	if w.chance(0.5) {
		e.JSON = fmt.Appendf(nil, `{"id":%q,"size":%0*d}`, e.ID, size, 1)
	} else {
		e.Bytes = make([]byte, size)
		for i := range e.Bytes {
			e.Bytes[i] = byte(w.rand.Uint32())
		}
	}
	if w.chance(0.3) {
		e.Headers = map[string]string{"of": e.ID, "n": fmt.Sprint(w.rand.IntN(1000))}
		e.CorrelationID, e.TraceID = "correlation of "+e.ID, "trace of "+e.ID
	}
	e.OccurredAt = w.now.Add(-w.between(0, time.Hour)).Truncate(time.Microsecond)
}

// exact is called with what a destination gets.
func (l *ledger) exact(p *process, e *outbox.Event, it *core.Item) {
	r := l.events[e.ID]
	if !reflect.DeepEqual(*e, r.key) {
		l.violated("an event is delivered as it was written", "%s by %s: %+v, not %+v", e.ID, p.name, *e, r.key)
	}
	if wrote := r.wrote.Truncate(time.Microsecond); !it.Hot && !it.CreatedAt.Equal(wrote) {
		l.violated("an event is delivered as it was written", "%s by %s: at %s, not %s", e.ID, p.name, it.CreatedAt, wrote)
	}
}
