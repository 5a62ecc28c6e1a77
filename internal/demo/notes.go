package demo

import (
	"fmt"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
)

// Note is something that happened and that a viewer may want to see.
type Note struct {
	At   time.Time
	Kind NoteKind
	Text string
}

// NoteKind says how bad a note is.
type NoteKind int

// The kinds of notes.
const (
	Retrying NoteKind = iota
	Died
	Trouble // the database is away, or the like
)

// notes keeps the latest ones.
type notes struct {
	mu     sync.Mutex
	latest []Note
	failed int // transactions
}

const keptNotes = 32

func (n *notes) add(kind NoteKind, format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.latest = append(n.latest, Note{At: time.Now(), Kind: kind, Text: fmt.Sprintf(format, args...)})
	if len(n.latest) > keptNotes {
		n.latest = append(n.latest[:0], n.latest[1:]...)
	}
}

// hooks listens to the relay.
func (n *notes) hooks() outbox.Hooks {
	return outbox.Hooks{
		Failed: func(i outbox.FailedInfo) {
			n.add(Retrying, "%s %s: %v; again in %s", i.Event.Type, i.Event.AggregateID, i.Err, i.Next.Round(time.Millisecond))
		},
		Dead: func(i outbox.FailedInfo) {
			n.add(Died, "%s %s: %v", i.Event.Type, i.Event.AggregateID, i.Err)
		},
		LoopError: func(i outbox.LoopErrorInfo) {
			n.add(Trouble, "the relay's %s failed and is tried again: %v", i.Loop, i.Err)
		},
	}
}

// failedTx notes a business transaction that failed.
func (n *notes) failedTx(err error) {
	n.add(Trouble, "%v", err)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.failed++
}

// since lists the notes after a moment, oldest first, and the number of
// transactions that failed in all.
func (n *notes) since(t time.Time) ([]Note, int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i, note := range n.latest {
		if note.At.After(t) {
			return append([]Note(nil), n.latest[i:]...), n.failed
		}
	}
	return nil, n.failed
}
