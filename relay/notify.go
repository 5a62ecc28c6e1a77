package relay

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Notifier is for processes that write and do not relay: after a commit it wakes
// relays elsewhere. It sends from a goroutine
// of its own, many commits at a time, so that no business transaction waits.
// It is safe for concurrent use.
type Notifier struct {
	to  driver.NotifyStore
	log *slog.Logger

	mu    sync.Mutex
	lanes map[string]bool
	sent  chan struct{} // closed when what is being sent is out; nil: nothing is
}

// notifyEvery is the shortest pause between two notifications. What is
// committed during the pause is sent at its end.
const notifyEvery = 2 * time.Millisecond

// NewNotifier makes a notifier that wakes relays through to, a store. A nil logger is
// slog.Default().
func NewNotifier(to driver.NotifyStore, logger *slog.Logger) *Notifier {
	if logger == nil {
		logger = slog.Default()
	}
	return &Notifier{to: to, log: logger, lanes: map[string]bool{}}
}

// OnCommit has a writer tell the notifier of its commits:
//
//	w := outbox.NewWriter(store, n.OnCommit())
func (n *Notifier) OnCommit() outbox.WriterOption { return outbox.WithCommitHook(commits{n}) }

// commits is the notifier as writers know it, an [outbox.CommitHook].
type commits struct{ *Notifier }

// Admit reserves nothing: nothing is hot without a relay.
func (commits) Admit([]outbox.Event, time.Time) time.Duration { return 0 }

// Dropped has nothing to do.
func (commits) Dropped([]outbox.Written) {}

// Committed wakes relays for what is due.
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
	if n.sent == nil {
		n.sent = make(chan struct{})
		go n.send()
	}
}

// Flush waits until all that was committed before is sent, or ctx is done. A
// process that ends right after a commit calls it first; otherwise its last
// events wait for the next poll.
func (n *Notifier) Flush(ctx context.Context) error {
	n.mu.Lock()
	sent := n.sent
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

// send goes on while there is something to send, and ends by itself.
func (n *Notifier) send() {
	for {
		n.mu.Lock()
		if len(n.lanes) == 0 {
			close(n.sent)
			n.sent = nil
			n.mu.Unlock()
			return
		}
		lanes := make([]string, 0, len(n.lanes))
		for l := range n.lanes {
			lanes = append(lanes, l)
		}
		clear(n.lanes)
		n.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		if err := n.to.Notify(ctx, lanes); err != nil {
			n.log.Debug("outbox: could not wake other relays; they will poll", "error", err)
		}
		cancel()
		time.Sleep(notifyEvery)
	}
}

// notifyOthers wakes relays of other processes for lanes that this one does
// not handle.
func (r *Relay) notifyOthers(lanes []string) {
	if r.notifier != nil {
		r.notifier.notify(lanes)
	}
}
