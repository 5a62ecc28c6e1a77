package relay

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// unrunAfter leaves a program time to start its relay after its writers.
const unrunAfter = 30 * time.Second

// unrun warns once if writers write for a relay that is not running.
type unrun struct {
	begun    atomic.Bool
	expected atomic.Bool // events were written
	log      *slog.Logger
}

// expect is called when events were written.
func (u *unrun) expect() {
	if u.begun.Load() || u.expected.Swap(true) {
		return
	}
	time.AfterFunc(unrunAfter, func() {
		if !u.begun.Load() {
			u.log.Warn("outbox: events are written for a relay that is not running, and wait: call its Run; a writer without HotPath leaves them to other relays",
				"since", unrunAfter)
		}
	})
}
