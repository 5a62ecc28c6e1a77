package inbox

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
)

// Consumer gives each event its effect once for its group. Make one with [New]
// and keep it; it is safe for concurrent use, and any number of processes may
// consume for one group.
type Consumer[Tx any] struct {
	ledger driver.Ledger[Tx]
	config Config
	cache  *guard // nil: none
}

// New makes a consumer. It sends nothing to the database, and fails only on an
// invalid configuration. The table must exist: run `outbox migrate up`, or
// Migrate of the store.
func New[Tx any](ledger driver.Ledger[Tx], c Config) (*Consumer[Tx], error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	c.warn()
	consumer := &Consumer[Tx]{ledger: ledger, config: c}
	if c.Cache != nil {
		consumer.cache = &guard{cache: c.Cache, config: c}
	}
	return consumer, nil
}

// tell calls a hook, which may be nil.
func (c *Consumer[Tx]) tell(hook func(observe.ConsumeInfo), n int, since time.Time, err error) {
	if hook != nil && n > 0 {
		hook(observe.ConsumeInfo{Group: c.config.Group, N: n, Took: time.Since(since), Err: err})
	}
}
