package relay

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Notifier is for processes that write but do not relay: after a commit it
// wakes relays elsewhere. It sends from its own goroutine, many commits at a
// time, so that no transaction of the application waits. It is safe for
// concurrent use.
type Notifier struct {
	to  driver.NotifyStore
	log *slog.Logger

	mu      sync.Mutex
	lanes   map[string]bool // to send next
	next    chan struct{}   // closed when they are sent; nil: there are none
	last    chan struct{}   // closed when those before are sent; nil: there were none
	sending bool
}

// notifyEvery is the shortest pause between two notifications. Commits during
// the pause are sent at its end.
const notifyEvery = 2 * time.Millisecond

// NewNotifier makes a notifier that wakes relays through the store to. A nil
// logger means slog.Default().
func NewNotifier(to driver.NotifyStore, logger *slog.Logger) *Notifier {
	if logger == nil {
		logger = slog.Default()
	}
	return &Notifier{to: to, log: logger, lanes: map[string]bool{}}
}

// OnCommit makes a writer tell the notifier about its commits:
//
//	w := outbox.NewWriter(store, n.OnCommit())
func (n *Notifier) OnCommit() outbox.WriterOption { return outbox.WithCommitHook(commits{n}) }

// commits is the notifier as the [outbox.CommitHook] of writers.
type commits struct{ *Notifier }

// Admit reserves nothing: nothing is hot without a relay.
func (commits) Admit([]outbox.Event, time.Time) time.Duration { return 0 }

// Dropped has nothing to do.
func (commits) Dropped([]outbox.Written) {}

// Committed wakes relays for events that are due.
func (n commits) Committed(ws []outbox.Written) {
	lanes := make([]string, 0, len(ws))
	for i := range ws {
		if !ws[i].Event.Delayed() {
			lanes = append(lanes, ws[i].Event.Type)
		}
	}
	n.notify(lanes)
}

func (n *Notifier) notify(lanes []string) {
	if len(lanes) == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, l := range lanes {
		n.lanes[l] = true
	}
	if n.next == nil {
		n.next = make(chan struct{})
	}
	if !n.sending {
		n.sending = true
		go n.send()
	}
}

// Flush waits until everything committed before is sent, or ctx is done. A
// process that ends right after a commit calls it first; otherwise its last
// events wait for the next poll.
func (n *Notifier) Flush(ctx context.Context) error {
	n.mu.Lock()
	sent := n.next
	if sent == nil {
		sent = n.last
	}
	n.mu.Unlock()
	if sent == nil {
		return nil
	}
	select {
	case <-sent:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// send runs while there is something to send, and then ends.
func (n *Notifier) send() {
	for {
		n.mu.Lock()
		if n.next == nil {
			n.sending = false
			n.mu.Unlock()
			return
		}
		lanes := make([]string, 0, len(n.lanes))
		for l := range n.lanes {
			lanes = append(lanes, l)
		}
		clear(n.lanes)
		sent := n.next
		n.last, n.next = sent, nil
		n.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		if err := n.to.Notify(ctx, lanes); err != nil {
			n.log.Debug("outbox: could not wake other relays; they will poll", "error", err)
		}
		cancel()
		time.Sleep(notifyEvery)
		close(sent) // after the pause: who flushes for the last time leaves no goroutine behind
	}
}
