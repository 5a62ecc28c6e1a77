package storetest

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// broken is a memstore with some of its methods replaced.
type broken struct {
	*memstore.Store
	claim       func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error)
	take        func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error)
	renew       func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error)
	settle      func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) ([]driver.Held, error)
	confirm     func(ctx context.Context, rows []driver.Held) ([]driver.Held, error)
	lanes       func(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error)
	sweep       func(ctx context.Context, age time.Duration, limit int) (int, error)
	insert      func(ctx context.Context, tx *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error)
	begin       func(ctx context.Context) (*memstore.Tx, func() error, func() error, error)
	notify      func(ctx context.Context, lanes []string) error
	notifyIn    func(ctx context.Context, tx *memstore.Tx, lanes []string) error
	listen      func(ctx context.Context, wake func(lanes []string)) error
	list        func(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error)
	replay      func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error)
	resolve     func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error)
	stats       func(ctx context.Context) (driver.Stats, error)
	paused      func(ctx context.Context) ([]driver.Pause, error)
	sweepAudit  func(ctx context.Context, age time.Duration, limit int) (int, error)
	sweepDead   func(ctx context.Context, age time.Duration, limit int) (int, error)
	setPaused   func(ctx context.Context, what driver.Pausable, paused bool, by string) error
	announce    func(ctx context.Context, in driver.Instance) error
	audits      func(ctx context.Context, f driver.AuditFilter, before int64, limit int) ([]driver.AuditEntry, int64, error)
	earlier     func(ctx context.Context, id string, seq int64, limit int) ([]driver.DeadLetter, error)
	jobList     func(ctx context.Context, f driver.JobFilter, before string, limit int) ([]driver.Job, string, error)
	alertList   func(ctx context.Context, f driver.AlertFilter, limit int) ([]driver.Alert, error)
	groups      func(ctx context.Context, f driver.GroupFilter, after *driver.GroupCursor, limit int) ([]driver.DeadGroup, *driver.GroupCursor, error)
	getGroup    func(ctx context.Context, id string) (driver.DeadGroup, bool, error)
	edit        func(ctx context.Context, key driver.DeadKey, e driver.DeadEdit) (driver.DeadResult, error)
	events      func(ctx context.Context, f driver.EventFilter, after *driver.EventCursor, limit int) ([]driver.StoredEvent, *driver.EventCursor, error)
	event       func(ctx context.Context, id string) (driver.StoredEvent, bool, error)
	sweepGroups func(ctx context.Context, age time.Duration, limit int) (int, error)
	seeAlerts   func(ctx context.Context, seen []driver.Sighting, quiet time.Duration) error
	dueAlerts   func(ctx context.Context, lease time.Duration, limit int) ([]driver.Alert, error)
	toldAlerts  func(ctx context.Context, told []driver.Alert, repeat time.Duration) error
	muteAlert   func(ctx context.Context, id string, m driver.AlertMute) (bool, error)
	sweepAlerts func(ctx context.Context, age time.Duration, limit int) (int, error)
	consumers   func(ctx context.Context, after string, limit int) ([]driver.ConsumerGroup, error)
	noteDead    func(ctx context.Context, keys []driver.DeadKey, note string) ([]driver.DeadResult, error)
	addJob      func(ctx context.Context, j driver.Job) (bool, error)
	claimJob    func(ctx context.Context, id string, owner driver.Owner, lease time.Duration) (driver.Job, bool, error)
	stepJob     func(ctx context.Context, s driver.JobStep) error
	decideJob   func(ctx context.Context, id string, d driver.JobDecision, a driver.Act) (driver.Job, bool, error)
	sweepJobs   func(ctx context.Context, s driver.JobSweep) (int, int, error)
	replayDone  func(ctx context.Context, es []driver.Replay) ([]driver.DeadResult, error)
	eraseDone   func(ctx context.Context, ids []string) ([]driver.DeadResult, error)
	eraseDead   func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error)
	tenants     func(ctx context.Context, lane, after string, limit int) ([]driver.WaitingTenant, error)
	checkFair   func(ctx context.Context) error
	withdraw    func(ctx context.Context, owner driver.Owner) error
	expire      func(ctx context.Context, age time.Duration, limit int) (int, error)

	mood    *mood
	limit   time.Duration         // of a call, in a bad mood of the database; 0: none
	mistake func(err error) error // takes its errors for others

	mu     sync.Mutex
	ids    []string               // every id inserted
	last   map[string]driver.Held // the latest claim of each
	own    map[string]driver.Owner
	locked map[string]bool
	bus    bus
}

// LockRow is for one lock of a row at a time.
func (b *broken) LockRow(id string) (release func()) { return b.noted(id, b.Store.LockRow(id)) }

// LockKept is for one lock of an id at a time.
func (b *broken) LockKept(id string) (release func()) { return b.noted(id, b.Store.LockKept(id)) }

func (b *broken) noted(id string, unlock func()) (release func()) {
	b.note(id, true)
	return func() {
		unlock()
		b.note(id, false)
	}
}

func (b *broken) note(id string, locked bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.locked[id] = locked
}

// meetsLock reports whether a row is locked, of those with these ids or, without
// any, of all.
func (b *broken) meetsLock(ids ...string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, locked := range b.locked {
		if locked && (len(ids) == 0 || slices.Contains(ids, id)) {
			return true
		}
	}
	return false
}

func (b *broken) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	if err := b.meet(ctx, false); err != nil {
		return nil, err
	}
	f := b.Store.Claim
	if b.claim != nil {
		f = b.claim
	}
	cs, err := f(ctx, req)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range cs {
		b.last[c.EventID], b.own[c.EventID] = c.Held, req.Owner
	}
	return cs, err
}

func (b *broken) Take(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
	if err := b.meet(ctx, false); err != nil {
		return nil, err
	}
	if b.take != nil {
		return b.take(ctx, owner, lease, rows)
	}
	return b.Store.Take(ctx, owner, lease, rows)
}

func (b *broken) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
	if err := b.meet(ctx, false); err != nil {
		return nil, err
	}
	if b.renew != nil {
		return b.renew(ctx, owner, lease, rows)
	}
	return b.Store.Renew(ctx, owner, lease, rows)
}

func (b *broken) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) ([]driver.Held, error) {
	if err := b.meet(ctx, false); err != nil {
		return nil, err
	}
	if b.settle != nil {
		return b.settle(ctx, owner, outcomes, keepDone)
	}
	return b.Store.Settle(ctx, owner, outcomes, keepDone)
}

func (b *broken) Confirm(ctx context.Context, rows []driver.Held) ([]driver.Held, error) {
	if err := b.meet(ctx, true); err != nil {
		return nil, err
	}
	if b.confirm != nil {
		return b.confirm(ctx, rows)
	}
	return b.Store.Confirm(ctx, rows)
}

func (b *broken) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	if err := b.meet(ctx, true); err != nil {
		return nil, err
	}
	if b.lanes != nil {
		return b.lanes(ctx, after, limit)
	}
	return b.Store.Lanes(ctx, after, limit)
}

func (b *broken) Sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	if err := b.meet(ctx, false); err != nil {
		return 0, err
	}
	if b.sweep != nil {
		return b.sweep(ctx, age, limit)
	}
	return b.Store.Sweep(ctx, age, limit)
}

func (b *broken) Insert(ctx context.Context, tx *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	b.mu.Lock()
	for _, e := range req.Events {
		b.ids = append(b.ids, e.ID)
	}
	b.mu.Unlock()
	if b.insert != nil {
		return b.insert(ctx, tx, req)
	}
	return b.Store.Insert(ctx, tx, req)
}

func (b *broken) Begin(ctx context.Context) (*memstore.Tx, func() error, func() error, error) {
	if err := b.meet(ctx, false); err != nil {
		return nil, nil, nil, err
	}
	begin := b.Store.Begin
	if b.begin != nil {
		begin = b.begin
	}
	tx, commit, rollback, err := begin(ctx)
	return tx, func() error {
		err := commit()
		if err == nil {
			b.bus.committed(tx)
		}
		return err
	}, rollback, err
}

func (b *broken) ListDead(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
	if b.list != nil {
		return b.list(ctx, f, after, limit)
	}
	return b.Store.ListDead(ctx, f, after, limit)
}

func (b *broken) ReplayDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	if b.replay != nil {
		return b.replay(ctx, keys)
	}
	return b.Store.ReplayDead(ctx, keys)
}

func (b *broken) ResolveDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	if b.resolve != nil {
		return b.resolve(ctx, keys)
	}
	return b.Store.ResolveDead(ctx, keys)
}

func (b *broken) ListAudit(ctx context.Context, f driver.AuditFilter, before int64, limit int) ([]driver.AuditEntry, int64, error) {
	if b.audits != nil {
		return b.audits(ctx, f, before, limit)
	}
	return b.Store.ListAudit(ctx, f, before, limit)
}

func (b *broken) EarlierDead(ctx context.Context, id string, seq int64, limit int) ([]driver.DeadLetter, error) {
	if b.earlier != nil {
		return b.earlier(ctx, id, seq, limit)
	}
	return b.Store.EarlierDead(ctx, id, seq, limit)
}

func (b *broken) ListJobs(ctx context.Context, f driver.JobFilter, before string, limit int) ([]driver.Job, string, error) {
	if b.jobList != nil {
		return b.jobList(ctx, f, before, limit)
	}
	return b.Store.ListJobs(ctx, f, before, limit)
}

func (b *broken) ListAlerts(ctx context.Context, f driver.AlertFilter, limit int) ([]driver.Alert, error) {
	if b.alertList != nil {
		return b.alertList(ctx, f, limit)
	}
	return b.Store.ListAlerts(ctx, f, limit)
}

func (b *broken) Stats(ctx context.Context) (driver.Stats, error) {
	if b.stats != nil {
		return b.stats(ctx)
	}
	return b.Store.Stats(ctx)
}

func (b *broken) SetPaused(ctx context.Context, what driver.Pausable, paused bool, by string) error {
	if b.setPaused != nil {
		return b.setPaused(ctx, what, paused, by)
	}
	return b.Store.SetPaused(ctx, what, paused, by)
}

func (b *broken) Announce(ctx context.Context, in driver.Instance) error {
	if b.announce != nil {
		return b.announce(ctx, in)
	}
	return b.Store.Announce(ctx, in)
}

func (b *broken) Paused(ctx context.Context) ([]driver.Pause, error) {
	if b.paused != nil {
		return b.paused(ctx)
	}
	return b.Store.Paused(ctx)
}

func (b *broken) Withdraw(ctx context.Context, owner driver.Owner) error {
	if b.withdraw != nil {
		return b.withdraw(ctx, owner)
	}
	return b.Store.Withdraw(ctx, owner)
}

func (b *broken) ExpireWritten(ctx context.Context, age time.Duration, limit int) (int, error) {
	if b.expire != nil {
		return b.expire(ctx, age, limit)
	}
	return b.Store.ExpireWritten(ctx, age, limit)
}

// openMinimal opens a memstore with a defect, reduced to the two halves that
// every store has.
func openMinimal(defect func(*broken)) Open[*memstore.Tx] {
	return func(t testing.TB) Subject[*memstore.Tx] {
		s := openBroken(defect)(t)
		s.Store = struct{ Store[*memstore.Tx] }{s.Store}
		s.Waker = nil
		return s
	}
}

// openBroken opens a memstore with a defect; nil leaves it healthy.
func openBroken(defect func(*broken)) Open[*memstore.Tx] {
	return func(testing.TB) Subject[*memstore.Tx] {
		another := func(s *memstore.Store) *broken {
			b := &broken{
				Store:  s,
				last:   map[string]driver.Held{},
				own:    map[string]driver.Owner{},
				locked: map[string]bool{},
				mood:   &mood{},
				limit:  50 * time.Millisecond,
			}
			if defect != nil {
				defect(b)
			}
			return b
		}
		b := another(memstore.New(memstore.Config{}))
		s := Subject[*memstore.Tx]{
			Store:  b,
			Change: func(_ context.Context, tx *memstore.Tx) error { return tx.Put("changes", "1") },
			Changes: func(ctx context.Context) (int, error) {
				v, found, err := b.Get(ctx, "changes")
				if err != nil || !found {
					return 0, err
				}
				return strconv.Atoi(v)
			},
			Savepoint:  func(_ context.Context, tx *memstore.Tx, name string) error { return tx.Savepoint(name) },
			RollbackTo: func(_ context.Context, tx *memstore.Tx, name string) error { return tx.RollbackTo(name) },
			Expire:     b.Expire,
			LockRow:    func(_ testing.TB, id string) func() { return b.LockRow(id) },
			LockKept:   func(_ testing.TB, _ Power, id string) func() { return b.LockKept(id) },
			Waker:      func(testing.TB) driver.Waker { return b },
		}
		moods(&s, b, another)
		return s
	}
}

func (b *broken) GetGroup(ctx context.Context, id string) (driver.DeadGroup, bool, error) {
	if b.getGroup != nil {
		return b.getGroup(ctx, id)
	}
	return b.Store.GetGroup(ctx, id)
}

func (b *broken) ListGroups(ctx context.Context, f driver.GroupFilter, after *driver.GroupCursor, limit int) ([]driver.DeadGroup, *driver.GroupCursor, error) {
	if b.groups != nil {
		return b.groups(ctx, f, after, limit)
	}
	return b.Store.ListGroups(ctx, f, after, limit)
}

func (b *broken) SweepGroups(ctx context.Context, age time.Duration, limit int) (int, error) {
	if b.sweepGroups != nil {
		return b.sweepGroups(ctx, age, limit)
	}
	return b.Store.SweepGroups(ctx, age, limit)
}

func (b *broken) SweepAudit(ctx context.Context, age time.Duration, limit int) (int, error) {
	if b.sweepAudit != nil {
		return b.sweepAudit(ctx, age, limit)
	}
	return b.Store.SweepAudit(ctx, age, limit)
}

func (b *broken) SweepDead(ctx context.Context, age time.Duration, limit int) (int, error) {
	if b.sweepDead != nil {
		return b.sweepDead(ctx, age, limit)
	}
	return b.Store.SweepDead(ctx, age, limit)
}

func (b *broken) EditDead(ctx context.Context, key driver.DeadKey, e driver.DeadEdit) (driver.DeadResult, error) {
	if b.edit != nil {
		return b.edit(ctx, key, e)
	}
	return b.Store.EditDead(ctx, key, e)
}

func (b *broken) ListEvents(ctx context.Context, f driver.EventFilter, after *driver.EventCursor, limit int) ([]driver.StoredEvent, *driver.EventCursor, error) {
	if b.events != nil {
		return b.events(ctx, f, after, limit)
	}
	return b.Store.ListEvents(ctx, f, after, limit)
}

func (b *broken) Tenants(ctx context.Context, lane, after string, limit int) ([]driver.WaitingTenant, error) {
	if b.tenants != nil {
		return b.tenants(ctx, lane, after, limit)
	}
	return b.Store.Tenants(ctx, lane, after, limit)
}

func (b *broken) CheckFair(ctx context.Context) error {
	if b.checkFair != nil {
		return b.checkFair(ctx)
	}
	return b.Store.CheckFair(ctx)
}

func (b *broken) GetEvent(ctx context.Context, id string) (driver.StoredEvent, bool, error) {
	if b.event != nil {
		return b.event(ctx, id)
	}
	return b.Store.GetEvent(ctx, id)
}
