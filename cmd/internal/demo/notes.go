package demo

import (
	"fmt"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/observe"
)

// Note is something that happened and that a viewer may want to see.
type Note struct {
	Kind NoteKind
	Text string
}

// NoteKind says how bad a note is.
type NoteKind int

// The kinds of notes.
const (
	Retrying NoteKind = iota
	Died
	Trouble // the database is down, or the like
	Down    // a destination is down
	Back    // a destination is back
)

// notes keeps the latest ones.
type notes struct {
	mu       sync.Mutex
	latest   []Note
	troubles int
	trouble  string // the latest
	failed   int    // transactions
}

const keptNotes = 32

func (n *notes) add(kind NoteKind, format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	if kind == Trouble {
		n.troubles, n.trouble = n.troubles+1, text
	}
	n.latest = append(n.latest, Note{Kind: kind, Text: text})
	if len(n.latest) > keptNotes {
		n.latest = append(n.latest[:0], n.latest[1:]...)
	}
}

// hooks listens to the relay.
func (n *notes) hooks() observe.Hooks {
	return observe.Hooks{
		Failed: func(i observe.FailedInfo) {
			if !i.Counted { // an outage, which the breaker reports
				return
			}
			n.add(Retrying, "%s %s: %v; retry in %s", i.Event.Type, i.Event.AggregateID, i.Err, i.Next.Round(time.Millisecond))
		},
		Dead: func(i observe.FailedInfo) {
			n.add(Died, "%s %s: %v", i.Event.Type, i.Event.AggregateID, i.Err)
		},
		Breaker: func(i observe.BreakerInfo) {
			if i.Open {
				n.add(Down, "%s: %v; its events wait", i.Target, i.Err)
			} else {
				n.add(Back, "%s", i.Target)
			}
		},
		LoopError: func(i observe.LoopErrorInfo) {
			n.add(Trouble, "%s failed, will try again: %v", i.Loop, i.Err)
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

// read fills in what happened.
func (n *notes) read(st *State) {
	n.mu.Lock()
	defer n.mu.Unlock()
	st.Notes = append([]Note(nil), n.latest...)
	st.Troubles, st.Trouble, st.Failed = n.troubles, n.trouble, n.failed
}
