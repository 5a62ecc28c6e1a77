package console

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

const (
	// sharedFor is how long an answer is new enough for the streams of others.
	sharedFor = refresh / 2
	// maxRead bounds a call that is made for many.
	maxRead = 30 * time.Second
)

// shares lets streams have the same answers of the API, so that it is asked once
// however many people watch. What somebody sees depends on their role, so it is
// shared within a role only. It is safe for concurrent use.
type shares struct {
	mu  sync.Mutex
	all map[shareKey]*sharedAnswer
}

// shareKey is what streams have in common.
type shareKey struct {
	role admin.Role
	path string // with its query
}

type sharedAnswer struct {
	done chan struct{} // closed when the rest is there
	text []byte
	err  error
	at   time.Time // when it was asked for
}

func newShares() *shares { return &shares{all: map[shareKey]*sharedAnswer{}} }

var errNotRead = errors.New("console: the API panicked")

// get returns an answer that is new enough, or one that is on its way, or else what
// read returns. A caller that leaves must not take the answer from others, so the
// context of read outlives ctx.
func (s *shares) get(ctx context.Context, of shareKey, read func(ctx context.Context) ([]byte, error)) ([]byte, error) {
	s.mu.Lock()
	a, mine := s.all[of], false
	if a == nil || a.old() {
		maps.DeleteFunc(s.all, func(_ shareKey, a *sharedAnswer) bool { return a.old() })
		a, mine = &sharedAnswer{done: make(chan struct{}), err: errNotRead, at: time.Now()}, true
		s.all[of] = a
	}
	s.mu.Unlock()
	if !mine {
		select {
		case <-a.done:
			return a.text, a.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxRead)
	defer cancel()
	defer close(a.done)
	a.text, a.err = read(ctx)
	return a.text, a.err
}

// forget makes the next answers new ones: something was changed.
func (s *shares) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.all)
}

// old reports whether an answer is there, and too old.
func (a *sharedAnswer) old() bool {
	select {
	case <-a.done:
		return time.Since(a.at) >= sharedFor
	default:
		return false
	}
}
