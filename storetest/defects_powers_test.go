package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// letterDefects are those of settles that only letters show.
func letterDefects() []defect {
	return []defect{
		{"a letter forgets who died", "a dead event becomes a dead letter with its full history", false,
			eachOutcome(func(o *driver.Outcome) { o.Attempts, o.Failures = 0, nil })},
		{"a stale death makes a letter", "a stale outcome makes no letter, and changes none", false, func(b *broken) {
			b.list = func(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
				ls, next, err := b.Store.ListDead(ctx, f, after, limit)
				return append(ls, driver.DeadLetter{Error: "late"}), next, err
			}
		}},
		{"letters lose their headers", "an event arrives exactly as a letter, and again after its replay", false, func(b *broken) {
			b.list = func(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
				ls, next, err := b.Store.ListDead(ctx, f, after, limit)
				for i := range ls {
					ls[i].Event.Headers = nil
				}
				return ls, next, err
			}
		}},
		{"an edit forgets the original", "an edited letter goes back under its id, and keeps the original", false, func(b *broken) {
			b.edit = func(ctx context.Context, key driver.DeadKey, e driver.DeadEdit) (driver.DeadResult, error) {
				result, err := b.Store.EditDead(ctx, key, e)
				if result.Status == driver.DeadApplied {
					_, _ = b.Store.DeleteDead(ctx, []driver.DeadKey{{EventID: key.EventID, Seq: key.Seq}}) // the defect
				}
				return result, err
			}
		}},
		{"a replay of nothing fails", "bulk calls without ids return no error", false, func(b *broken) {
			b.replay = func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
				if len(keys) == 0 {
					return nil, errors.New("syntax error near )")
				}
				return b.Store.ReplayDead(ctx, keys)
			}
		}},
		{"a key is taken for its id", "a key names one letter, and an open one only while it is open", false, func(b *broken) {
			b.resolve = func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
				for i := range keys {
					keys[i].Seq = 0
				}
				return b.Store.ResolveDead(ctx, keys)
			}
		}},
		{"a key fits a resolved letter", "a key names one letter, and an open one only while it is open", false, func(b *broken) {
			b.replay = func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
				for i := range keys {
					keys[i].Open = false
				}
				return b.Store.ReplayDead(ctx, keys)
			}
		}},
		{"resolved letters are counted", "stats leave out resolved letters", false, func(b *broken) {
			b.stats = func(ctx context.Context) (driver.Stats, error) {
				st, err := b.Store.Stats(ctx)
				n, _ := b.CountDead(ctx, driver.DeadFilter{Resolved: true})
				st.Dead.N += n.N
				return st, err
			}
		}},
		{"stats fail while others work", "stats work while claimers, writers and a sweeper run", false, func(b *broken) {
			b.stats = func(context.Context) (driver.Stats, error) { return driver.Stats{}, errors.New("deadlock") }
		}},
		{"age retention forgets the age", "age retention keeps to its age and limit, and spares dead events", false, func(b *broken) {
			b.expire = func(ctx context.Context, _ time.Duration, limit int) (int, error) {
				return b.Store.ExpireWritten(ctx, 0, limit)
			}
		}},
	}
}

func auditDefects() []defect {
	const changes = "what a person changes has an entry in the audit log"
	const filter, jobs = "a filter of the audit log matches exactly what it names", "the audit log says which job made a change"
	entries := func(change func(es []driver.AuditEntry) []driver.AuditEntry) func(b *broken) {
		return func(b *broken) {
			b.audits = func(ctx context.Context, f driver.AuditFilter, before int64, limit int) ([]driver.AuditEntry, int64, error) {
				es, next, err := b.Store.ListAudit(ctx, f, before, limit)
				return change(es), next, err
			}
		}
	}
	filters := func(change func(f *driver.AuditFilter)) func(b *broken) {
		return func(b *broken) {
			b.audits = func(ctx context.Context, f driver.AuditFilter, before int64, limit int) ([]driver.AuditEntry, int64, error) {
				change(&f)
				return b.Store.ListAudit(ctx, f, before, limit)
			}
		}
	}
	return []defect{
		{"an entry is missing", changes, false, entries(func(es []driver.AuditEntry) []driver.AuditEntry { return es[min(len(es), 1):] })},
		{"an entry forgets whom it was done to", changes, false, entries(func(es []driver.AuditEntry) []driver.AuditEntry {
			for i := range es {
				es[i].Subjects = nil
			}
			return es
		})},
		{"a program's change is somebody's", "a call that changes nothing, or is nobody's, has no entry", false, func(b *broken) {
			b.replay = func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
				return b.Store.ReplayDead(driver.WithAct(ctx, driver.Act{By: "root"}), keys)
			}
		}},
		{"a page starts over", "the audit log is listed in pages, and swept past its age", false, func(b *broken) {
			b.audits = func(ctx context.Context, f driver.AuditFilter, _ int64, limit int) ([]driver.AuditEntry, int64, error) {
				return b.Store.ListAudit(ctx, f, 0, limit)
			}
		}},
		{"a filter of the audit log ends early", filter, false, func(b *broken) {
			b.audits = func(ctx context.Context, f driver.AuditFilter, before int64, limit int) ([]driver.AuditEntry, int64, error) {
				es, _, err := b.Store.ListAudit(ctx, f, before, limit)
				return es, 0, err
			}
		}},
		{"a filter of the audit log ignores spaces", filter, false, filters(func(f *driver.AuditFilter) { f.By = strings.TrimSpace(f.By) })},
		{"a filter of the audit log ignores actions", filter, false, filters(func(f *driver.AuditFilter) { f.Action = "" })},
		{"a filter of the audit log ignores its end", filter, false, filters(func(f *driver.AuditFilter) { f.Before = time.Time{} })},
		{"a filter of the audit log has the entry of its start", filter, false, filters(func(f *driver.AuditFilter) {
			if !f.After.IsZero() {
				f.After = f.After.Add(-time.Microsecond)
			}
		})},
		{"a filter of the audit log ignores jobs", jobs, false, filters(func(f *driver.AuditFilter) { f.Job = "" })},
		{"the batches of a job do not name it", jobs, false, entries(func(es []driver.AuditEntry) []driver.AuditEntry {
			for i := range es {
				if es[i].Action != driver.AuditJob && es[i].Action != driver.AuditJobEnd {
					es[i].Job = ""
				}
			}
			return es
		})},
	}
}

func groupDefects() []defect {
	const groups = "letters of one lane, destination and reason are one group"
	listed := func(change func(gs []driver.DeadGroup) []driver.DeadGroup) func(b *broken) {
		return func(b *broken) {
			b.groups = func(ctx context.Context, f driver.GroupFilter, after *driver.GroupCursor, limit int) ([]driver.DeadGroup, *driver.GroupCursor, error) {
				gs, next, err := b.Store.ListGroups(ctx, f, after, limit)
				return change(gs), next, err
			}
		}
	}
	return []defect{
		{"the destination does not count", groups, false, eachOutcome(func(o *driver.Outcome) { o.Failures = nil })},
		{"a group forgets its state", "a group is what somebody last said of it, in the audit log too", false, listed(func(gs []driver.DeadGroup) []driver.DeadGroup {
			for i := range gs {
				gs[i].GroupMark = driver.GroupMark{State: driver.GroupNew}
			}
			return gs
		})},
		{"a page of groups starts over", "groups are listed by their latest letter, in pages by key", false, func(b *broken) {
			b.groups = func(ctx context.Context, f driver.GroupFilter, _ *driver.GroupCursor, limit int) ([]driver.DeadGroup, *driver.GroupCursor, error) {
				return b.Store.ListGroups(ctx, f, nil, limit)
			}
		}},
		{"a filter of groups leaves out nothing", "groups are found by what they are, and by what was said of them", false, filteredGroups(func(*driver.GroupFilter) driver.GroupFilter { return driver.GroupFilter{} })},
		{"a filter of groups ignores the destination", "groups are found by what they are, and by what was said of them", false, filteredGroups(func(f *driver.GroupFilter) driver.GroupFilter { f.Destination = ""; return *f })},
		{"a filter of groups ignores who marked them", "groups are found by what they are, and by what was said of them", false, filteredGroups(func(f *driver.GroupFilter) driver.GroupFilter { f.By = ""; return *f })},
		{"a filter of groups ignores the end of a time", "groups are found by what they are, and by what was said of them", false, filteredGroups(func(f *driver.GroupFilter) driver.GroupFilter { f.LastBefore = time.Time{}; return *f })},
		{"groups are swept at any age", "a group goes past its age, and never while a letter is open", false, func(b *broken) {
			b.sweepGroups = func(ctx context.Context, _ time.Duration, limit int) (int, error) {
				return b.Store.SweepGroups(ctx, 0, limit)
			}
		}},
	}
}

// filteredGroups lists groups with another filter.
func filteredGroups(change func(f *driver.GroupFilter) driver.GroupFilter) func(b *broken) {
	return func(b *broken) {
		b.groups = func(ctx context.Context, f driver.GroupFilter, after *driver.GroupCursor, limit int) ([]driver.DeadGroup, *driver.GroupCursor, error) {
			return b.Store.ListGroups(ctx, change(&f), after, limit)
		}
	}
}

func wakeDefects() []defect {
	const (
		wakes   = "a notification wakes listeners, for its lanes or for any"
		commits = "a notification in a transaction is heard only if it commits"
	)
	return []defect{
		{"many lanes do not fit", "a notification takes any number of lanes with any names", false, func(b *broken) {
			b.notify = func(_ context.Context, lanes []string) error {
				if text := fmt.Sprint(lanes); len(text) > 8000 {
					return errors.New("payload string too long")
				}
				return nil
			}
		}},
		{"nobody is woken", wakes, false, func(b *broken) {
			b.notify = func(context.Context, []string) error { return nil }
		}},
		{"others are woken", wakes, false, func(b *broken) {
			b.notify = func(context.Context, []string) error { b.bus.send([]string{"other"}); return nil }
		}},
		{"a hint ends the transaction", "a notification inside a transaction does not disturb it", false, func(b *broken) {
			b.notifyIn = func(_ context.Context, tx *memstore.Tx, _ []string) error { return tx.Rollback() }
		}},
		{"a hint comes before the commit", commits, false, func(b *broken) {
			b.notifyIn = func(_ context.Context, _ *memstore.Tx, lanes []string) error { b.bus.send(lanes); return nil }
		}},
		{"listening outlives its context", "listening ends with its context, without error, and can restart", false, func(b *broken) {
			b.listen = func(ctx context.Context, wake func([]string)) error {
				return errors.Join(b.bus.listen(ctx, wake), ctx.Err())
			}
		}},
	}
}
