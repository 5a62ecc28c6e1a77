package core

import "time"

// writes are the statements with outcomes, and how long they take: who waits for the
// end has to wait longer than that.
type writes struct {
	sent    map[*Batch]time.Time // under way
	slowest time.Duration        // of those that failed
}

func (w *writes) begins(b *Batch, now time.Time) {
	if w.sent == nil {
		w.sent = map[*Batch]time.Time{}
	}
	w.sent[b] = now
}

func (w *writes) ends(b *Batch, a SettleAnswer) {
	delete(w.sent, b)
	if a.Err != SettleWritten {
		w.slowest = max(w.slowest, a.Took)
	}
}

// longest is how long the longest one took that failed, or is under way.
func (w *writes) longest(now time.Time) time.Duration {
	longest := w.slowest
	for _, at := range w.sent {
		longest = max(longest, now.Sub(at))
	}
	return longest
}
