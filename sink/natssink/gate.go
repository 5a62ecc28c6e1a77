package natssink

import (
	"slices"
	"time"

	"github.com/nats-io/nats.go"
)

// The limits of retries when no stream answers: during a change of leader, none
// does for a moment.
const (
	electionWait  = 250 * time.Millisecond
	electionTries = 3
)

// gate holds back the messages of a subject until it is known whether a stream
// has it: one goes ahead. A stream that is created in the middle of a batch
// would otherwise get the later messages first.
type gate struct {
	opener  int   // the message that goes ahead, or -1
	queue   []int // the messages behind it
	tries   int
	refused bool // no stream has the subject
}

// add keeps the order of the batch.
func (g *gate) add(i int) {
	at, _ := slices.BinarySearch(g.queue, i)
	g.queue = slices.Insert(g.queue, at, i)
}

// unheard is called when no stream accepted message i.
func (f *flight) unheard(i int) {
	subject := f.subjects[i]
	f.known.remove(subject)
	g := f.gates[subject]
	if g == nil {
		g = &gate{opener: i}
		f.gates[subject] = g
	}
	switch {
	case g.refused:
		f.settle(i, nats.ErrNoResponders)
	case g.opener != i:
		g.add(i)
	default:
		if g.tries++; g.tries < electionTries {
			f.retry(i)
			return
		}
		g.refused = true
		f.settle(i, nats.ErrNoResponders)
		for _, other := range g.queue {
			f.settle(other, nats.ErrNoResponders)
		}
		g.queue = nil
	}
}

// open lets the others go once the first was answered. If the client refused
// it, that says nothing about a stream, and the next goes ahead instead.
func (f *flight) open(i int, err error) {
	subject := f.subjects[i]
	g := f.gates[subject]
	if g == nil || g.opener != i {
		return
	}
	queue := g.queue
	if unsent(err) {
		g.opener, g.queue = -1, nil
	} else {
		delete(f.gates, subject)
	}
	for _, other := range queue {
		f.admit(other)
	}
}
