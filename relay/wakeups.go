package relay

import (
	"math/bits"

	"github.com/sendoff-go/outbox/relay/core"
)

// wakeup is a signal that is remembered once.
type wakeup chan struct{}

func (w wakeup) signal() {
	select {
	case w <- struct{}{}:
	default:
	}
}

// wakes holds a signal for each loop that waits for work.
type wakes struct{ loops [8]wakeup }

func newWakes() (w wakes) {
	for i := range w.loops {
		w.loops[i] = make(wakeup, 1)
	}
	return w
}

// of returns the signal of one loop.
func (w *wakes) of(l core.Loops) wakeup { return w.loops[bits.TrailingZeros8(uint8(l))] }

// signal wakes a set of loops.
func (w *wakes) signal(set core.Loops) {
	for s := uint8(set); s != 0; s &= s - 1 {
		w.loops[bits.TrailingZeros8(s)].signal()
	}
}
