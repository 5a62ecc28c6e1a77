package storetest

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// letterCalls are the methods of [driver.DeadLetterStore], if s has them.
func letterCalls[Tx any](s Store[Tx]) []call[Tx] {
	if _, ok := s.(driver.DeadLetterStore); !ok {
		return nil
	}
	letters := func(f func(ctx context.Context, s driver.DeadLetterStore) error) func(context.Context, Store[Tx]) error {
		return func(ctx context.Context, s Store[Tx]) error { return f(ctx, s.(driver.DeadLetterStore)) }
	}
	ids := []string{"x"}
	return []call[Tx]{
		{"CountDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, err := s.CountDead(ctx, driver.DeadFilter{})
			return err
		})},
		{"ListDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, _, err := s.ListDead(ctx, driver.DeadFilter{}, nil, 10)
			return err
		})},
		{"GetDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, _, err := s.GetDead(ctx, "x")
			return err
		})},
		{"EarlierDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, err := s.EarlierDead(ctx, "x", 1, 10)
			return err
		})},
		{"ReplayDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, err := s.ReplayDead(ctx, driver.DeadIDs(ids...))
			return err
		})},
		{"EditDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, err := s.EditDead(ctx, driver.DeadKey{EventID: "x", Seq: 1}, driver.DeadEdit{Bytes: []byte{}})
			return err
		})},
		{"NoteDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, err := s.NoteDead(ctx, driver.DeadIDs(ids...), "x")
			return err
		})},
		{"ResolveDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, err := s.ResolveDead(ctx, driver.DeadIDs(ids...))
			return err
		})},
		{"DeleteDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, err := s.DeleteDead(ctx, driver.DeadIDs(ids...))
			return err
		})},
		{"SweepDead", letters(func(ctx context.Context, s driver.DeadLetterStore) error {
			_, err := s.SweepDead(ctx, long, 10)
			return err
		})},
	}
}

// otherCalls are the methods of the other powers that s has. Wake-ups are not
// among them: losing one is not a fault.
func otherCalls[Tx any](s Store[Tx]) (cs []call[Tx]) {
	owner := driver.NewOwner("a")
	if _, ok := s.(driver.StatsStore); ok {
		cs = append(cs, call[Tx]{"Stats", lookAtStats[Tx]})
	}
	if _, ok := s.(driver.ControlStore); ok {
		cs = append(cs,
			call[Tx]{"Paused", func(ctx context.Context, s Store[Tx]) error {
				_, err := s.(driver.ControlStore).Paused(ctx)
				return err
			}},
			call[Tx]{"SetPaused", func(ctx context.Context, s Store[Tx]) error {
				return s.(driver.ControlStore).SetPaused(ctx, driver.PausableDestination("x"), true, "ann")
			}})
	}
	if _, ok := s.(driver.AuditStore); ok {
		cs = append(cs,
			call[Tx]{"ListAudit", func(ctx context.Context, s Store[Tx]) error {
				_, _, err := s.(driver.AuditStore).ListAudit(ctx, driver.AuditFilter{}, 0, 10)
				return err
			}},
			call[Tx]{"SweepAudit", func(ctx context.Context, s Store[Tx]) error {
				_, err := s.(driver.AuditStore).SweepAudit(ctx, long, 10)
				return err
			}})
	}
	if _, ok := s.(driver.GroupStore); ok {
		cs = append(cs, groupCalls[Tx]()...)
	}
	if _, ok := s.(driver.EventStore); ok {
		cs = append(cs, eventCalls[Tx]()...)
	}
	if _, ok := s.(driver.AlertStore); ok {
		cs = append(cs, alertCalls[Tx]()...)
	}
	if _, ok := s.(driver.JobStore); ok {
		cs = append(cs, jobCalls[Tx]()...)
	}
	if _, ok := s.(driver.ReplayStore); ok {
		cs = append(cs, replayDoneCalls[Tx]()...)
	}
	if _, ok := s.(driver.ConsumerStore); ok {
		cs = append(cs, consumerCalls[Tx]()...)
	}
	if _, ok := s.(driver.EraseStore); ok {
		cs = append(cs, eraseCalls[Tx]()...)
	}
	if _, ok := s.(driver.FairStore); ok {
		cs = append(cs, fairCalls[Tx]()...)
	}
	if _, ok := s.(driver.InstanceStore); ok {
		cs = append(cs,
			call[Tx]{"Announce", func(ctx context.Context, s Store[Tx]) error {
				return s.(driver.InstanceStore).Announce(ctx, driver.Instance{Owner: owner})
			}},
			call[Tx]{"Withdraw", func(ctx context.Context, s Store[Tx]) error {
				return s.(driver.InstanceStore).Withdraw(ctx, owner)
			}},
			call[Tx]{"Instances", func(ctx context.Context, s Store[Tx]) error {
				_, err := s.(driver.InstanceStore).Instances(ctx)
				return err
			}})
	}
	if _, ok := s.(driver.ExpiringStore); ok {
		cs = append(cs, call[Tx]{"ExpireWritten", func(ctx context.Context, s Store[Tx]) error {
			_, err := s.(driver.ExpiringStore).ExpireWritten(ctx, long, 10)
			return err
		}})
	}
	return cs
}

// groupCalls are the methods of [driver.GroupStore].
func groupCalls[Tx any]() []call[Tx] {
	groups := func(f func(ctx context.Context, s driver.GroupStore) error) func(context.Context, Store[Tx]) error {
		return func(ctx context.Context, s Store[Tx]) error { return f(ctx, s.(driver.GroupStore)) }
	}
	return []call[Tx]{
		{"GroupDead", groups(func(ctx context.Context, s driver.GroupStore) error {
			_, err := s.GroupDead(ctx, 10)
			return err
		})},
		{"ListGroups", groups(func(ctx context.Context, s driver.GroupStore) error {
			_, _, err := s.ListGroups(ctx, driver.GroupFilter{}, nil, 10)
			return err
		})},
		{"GetGroup", groups(func(ctx context.Context, s driver.GroupStore) error {
			_, _, err := s.GetGroup(ctx, "x")
			return err
		})},
		{"MarkGroup", groups(func(ctx context.Context, s driver.GroupStore) error {
			_, err := s.MarkGroup(ctx, "x", driver.GroupMark{State: driver.GroupNew, By: "ann"})
			return err
		})},
		{"SweepGroups", groups(func(ctx context.Context, s driver.GroupStore) error {
			_, err := s.SweepGroups(ctx, long, 10)
			return err
		})},
	}
}

// eventCalls are the methods of [driver.EventStore].
func eventCalls[Tx any]() []call[Tx] {
	events := func(f func(ctx context.Context, s driver.EventStore) error) func(context.Context, Store[Tx]) error {
		return func(ctx context.Context, s Store[Tx]) error { return f(ctx, s.(driver.EventStore)) }
	}
	return []call[Tx]{
		{"ListEvents", events(func(ctx context.Context, s driver.EventStore) error {
			_, _, err := s.ListEvents(ctx, driver.EventFilter{}, nil, 10)
			return err
		})},
		{"CountEvents", events(func(ctx context.Context, s driver.EventStore) error {
			_, err := s.CountEvents(ctx, driver.EventFilter{Lane: "x"})
			return err
		})},
		{"GetEvent", events(func(ctx context.Context, s driver.EventStore) error {
			_, _, err := s.GetEvent(ctx, "x")
			return err
		})},
	}
}
