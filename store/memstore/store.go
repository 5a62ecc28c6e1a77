package memstore

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Store keeps events in memory. It is safe for concurrent use.
type Store struct {
	clock func() time.Time

	mu       sync.Mutex
	closed   bool
	lastSeq  int64
	rows     map[string]*row // committed, by event id
	waiting  waiting         // those of them that are pending
	dead     []*letter       // in order of death
	groups   map[string]*driver.DeadGroup
	alerts   map[string]*alert
	jobs     map[string]*driver.Job
	writing  map[string]*Tx    // ids written by transactions still open
	business map[string]string // what transactions Put
	ledger   ledger
	paused   map[driver.Pausable]driver.Pause
	running  map[driver.Owner]driver.Instance
	held     map[string]int // how often what is kept is locked, by id; see [Store.LockKept]

	lastAudit int64
	log       []driver.AuditEntry
}

var (
	_ driver.Store           = (*Store)(nil)
	_ outbox.TxStore[*Tx]    = (*Store)(nil)
	_ driver.DeadLetterStore = (*Store)(nil)
	_ driver.StatsStore      = (*Store)(nil)
	_ driver.ControlStore    = (*Store)(nil)
	_ driver.InstanceStore   = (*Store)(nil)
	_ driver.ExpiringStore   = (*Store)(nil)
	_ driver.AuditStore      = (*Store)(nil)
	_ driver.GroupStore      = (*Store)(nil)
	_ driver.EventStore      = (*Store)(nil)
	_ driver.AlertStore      = (*Store)(nil)
	_ driver.JobStore        = (*Store)(nil)
	_ driver.ConsumerStore   = (*Store)(nil)
	_ driver.ReplayStore     = (*Store)(nil)
	_ driver.EraseStore      = (*Store)(nil)
	_ driver.FairStore       = (*Store)(nil)
)

// Config has a useful zero value.
type Config struct {
	// Now is the clock of the "database", which decides leases and delays. It
	// is called under the store's lock and must not call the store. Default:
	// time.Now, which testing/synctest controls.
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
		waiting:  waiting{},
		writing:  map[string]*Tx{},
		business: map[string]string{},
		ledger:   newLedger(),
		paused:   map[driver.Pausable]driver.Pause{},
		running:  map[driver.Owner]driver.Instance{},
		held:     map[string]int{},
		groups:   map[string]*driver.DeadGroup{},
		alerts:   map[string]*alert{},
		jobs:     map[string]*driver.Job{},
	}
}

// Close makes every later call fail with [outbox.ErrStoreDown], like a database
// that is down. Open transactions are rolled back.
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

// lock begins one statement. If it returns nil, the caller unlocks s.mu.
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

// now is the time of the statement, to the microsecond as a column keeps it,
// and without Go's monotonic reading, which no column has.
func (s *Store) now() time.Time {
	return s.clock().Round(0).UTC().Truncate(time.Microsecond)
}

func (s *Store) nextSeq() int64 {
	s.lastSeq++
	return s.lastSeq
}
