package storetest

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func alertDefects() []defect {
	const again = "an alert is due again when its teller fails, or after repeat"
	return []defect{
		{"a text is kept as it was first", "an alert is raised once, and stays open while it is seen", false, func(b *broken) {
			texts := map[string]string{}
			b.seeAlerts = func(ctx context.Context, seen []driver.Sighting, quiet time.Duration) error {
				for i, s := range seen {
					if texts[s.ID()] == "" {
						texts[s.ID()] = s.Text
					}
					seen[i].Text = texts[s.ID()]
				}
				return b.Store.SeeAlerts(ctx, seen, quiet)
			}
		}},
		{"an alert is resolved at any age", "an alert that nobody sees is resolved, and can be raised again", false, func(b *broken) {
			b.seeAlerts = func(ctx context.Context, seen []driver.Sighting, _ time.Duration) error {
				return b.Store.SeeAlerts(ctx, seen, 0)
			}
		}},
		{"everybody tells", "of many that ask, one tells of an alert", false, func(b *broken) {
			b.dueAlerts = func(ctx context.Context, _ time.Duration, limit int) ([]driver.Alert, error) {
				return b.Store.DueAlerts(ctx, 0, limit)
			}
		}},
		{"the turn does not count", again, false, func(b *broken) {
			b.toldAlerts = func(ctx context.Context, told []driver.Alert, repeat time.Duration) error {
				now, err := b.ListAlerts(ctx, driver.AlertFilter{}, all)
				for i := range told {
					for _, a := range now {
						if a.ID == told[i].ID {
							told[i].Turn = a.Turn
						}
					}
				}
				return errors.Join(err, b.Store.ToldAlerts(ctx, told, repeat))
			}
		}},
		{"repeat does not count", again, false, func(b *broken) {
			b.toldAlerts = func(ctx context.Context, told []driver.Alert, _ time.Duration) error {
				return b.Store.ToldAlerts(ctx, told, 0)
			}
		}},
		{"a filter of alerts ignores mutes", "a filter of alerts matches exactly what it names", false, func(b *broken) {
			b.alertList = func(ctx context.Context, f driver.AlertFilter, limit int) ([]driver.Alert, error) {
				if f.State == driver.AlertMuted {
					f.State = ""
				}
				return b.Store.ListAlerts(ctx, f, limit)
			}
		}},
		{"a mute is forgotten", "a muted alert is not told of, and the mute is audited", false, func(b *broken) {
			b.muteAlert = func(ctx context.Context, id string, m driver.AlertMute) (bool, error) {
				m.MutedUntil = time.Time{}
				return b.Store.MuteAlert(ctx, id, m)
			}
		}},
		{"alerts are swept at any age", "resolved alerts go past their age, open and muted ones stay", false, func(b *broken) {
			b.sweepAlerts = func(ctx context.Context, _ time.Duration, limit int) (int, error) {
				return b.Store.SweepAlerts(ctx, 0, limit)
			}
		}},
	}
}

func (b *broken) SeeAlerts(ctx context.Context, seen []driver.Sighting, quiet time.Duration) error {
	if b.seeAlerts != nil {
		return b.seeAlerts(ctx, seen, quiet)
	}
	return b.Store.SeeAlerts(ctx, seen, quiet)
}

func (b *broken) DueAlerts(ctx context.Context, lease time.Duration, limit int) ([]driver.Alert, error) {
	if b.dueAlerts != nil {
		return b.dueAlerts(ctx, lease, limit)
	}
	return b.Store.DueAlerts(ctx, lease, limit)
}

func (b *broken) ToldAlerts(ctx context.Context, told []driver.Alert, repeat time.Duration) error {
	if b.toldAlerts != nil {
		return b.toldAlerts(ctx, told, repeat)
	}
	return b.Store.ToldAlerts(ctx, told, repeat)
}

func (b *broken) MuteAlert(ctx context.Context, id string, m driver.AlertMute) (bool, error) {
	if b.muteAlert != nil {
		return b.muteAlert(ctx, id, m)
	}
	return b.Store.MuteAlert(ctx, id, m)
}

func (b *broken) SweepAlerts(ctx context.Context, age time.Duration, limit int) (int, error) {
	if b.sweepAlerts != nil {
		return b.sweepAlerts(ctx, age, limit)
	}
	return b.Store.SweepAlerts(ctx, age, limit)
}
