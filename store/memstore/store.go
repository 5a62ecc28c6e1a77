package memstore

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
)

// Store keeps events in memory. It is safe for concurrent use.
type Store struct {
	clock func() time.Time

	mu       sync.Mutex
	closed   bool
	lastSeq  int64
	rows     map[string]*row   // committed, by event id
	dead     []*letter         // in order of death
	writing  map[string]*Tx    // ids written by transactions still open
	business map[string]string // what transactions Put
	ledger   ledger
	paused   map[string]bool
	running  map[outbox.Owner]outbox.Instance
}

var (
	_ outbox.Store           = (*Store)(nil)
	_ outbox.TxStore[*Tx]    = (*Store)(nil)
	_ outbox.DeadLetterStore = (*Store)(nil)
	_ outbox.StatsStore      = (*Store)(nil)
	_ outbox.ControlStore    = (*Store)(nil)
	_ outbox.InstanceStore   = (*Store)(nil)
	_ outbox.ExpiringStore   = (*Store)(nil)
)

// Config has a useful zero value.
type Config struct {
	// Now is the clock of the "database", which decides leases and delays. It
	// is called under the store's lock and must not call the store. Default:
	// time.Now, which is also what testing/synctest moves.
	Now func() time.Time
}

// New makes an empty store.
func New(c Config) *Store {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Store{
		clock:    c.Now,
		rows:     map[string]*row{},
		writing:  map[string]*Tx{},
		business: map[string]string{},
		ledger:   newLedger(),
		paused:   map[string]bool{},
		running:  map[outbox.Owner]outbox.Instance{},
	}
}

// Close makes every later call fail with [outbox.ErrStoreDown], as a database
// that went away. Open transactions are rolled back.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, tx := range s.writing {
		tx.end()
	}
	for _, tx := range s.ledger.recording {
		tx.end()
	}
}

// lock begins one statement. Whoever gets no error unlocks s.mu.
func (s *Store) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return outbox.ErrStoreDown
	}
	return nil
}

// now is the time of the statement: to the microsecond, as a column keeps it,
// and without Go's monotonic reading, which no column has.
func (s *Store) now() time.Time {
	return s.clock().Round(0).UTC().Truncate(time.Microsecond)
}

func (s *Store) nextSeq() int64 {
	s.lastSeq++
	return s.lastSeq
}
