package relay

import (
	"context"
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// announceEvery keeps an instance visible even if it misses a few rounds.
const announceEvery = 5 * time.Second

// announceLoop announces this relay, for operators.
type announceLoop struct {
	store    driver.InstanceStore // nil if the store has none
	instance *instance
	reports  *reporter
	log      *slog.Logger
}

func (l *announceLoop) run(ctx context.Context) {
	if l.store == nil {
		return
	}
	for {
		l.reports.report(ctx, "announce", l.store.Announce(ctx, l.instance.describe()))
		if !pause(ctx, announceEvery, nil) {
			return
		}
	}
}

// withdraw takes the announcement back.
func (l *announceLoop) withdraw(ctx context.Context) {
	if l.store == nil {
		return
	}
	if err := l.store.Withdraw(ctx, l.instance.owner); err != nil {
		l.log.Debug("outbox: could not withdraw the instance", "error", err)
	}
}
