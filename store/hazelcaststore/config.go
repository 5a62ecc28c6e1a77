package hazelcaststore

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/hazelcast/hazelcast-go-client"

	"github.com/sendoff-go/outbox/driver"
)

// Config has a useful zero value.
type Config struct {
	// Name is the map of the events. Those beside it have its name with -dead
	// for the dead letters and -tx for the decisions of writes. Default:
	// outbox.
	Name string
	// CallTimeout bounds every call, in addition to its context. Default: 10 s.
	CallTimeout time.Duration
	// OpenLimit is how long a [Tx] may stay open. What it has written is
	// discarded after that, so that a process that died leaves nothing behind.
	// Default: one minute. At most a day.
	OpenLimit time.Duration
}

func (c Config) withDefaults() Config {
	if c.Name == "" {
		c.Name = "outbox"
	}
	if c.CallTimeout == 0 {
		c.CallTimeout = 10 * time.Second
	}
	if c.OpenLimit == 0 {
		c.OpenLimit = time.Minute
	}
	return c
}

const maxOpen = 24 * time.Hour

// mapName is what is safe in names of maps, which configurations match with
// wildcards.
var mapName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}$`)

func (c Config) validate(client *hazelcast.Client) error {
	var errs []error
	if client == nil {
		errs = append(errs, errors.New("hazelcaststore: no client: start one with hazelcast.StartNewClientWithConfig"))
	}
	if !mapName.MatchString(c.Name) {
		errs = append(errs, fmt.Errorf("%w: hazelcaststore: Name %q: use at most 100 letters, digits, dots, hyphens and underscores", driver.ErrName, c.Name))
	}
	if c.CallTimeout < 0 || c.OpenLimit < 0 {
		errs = append(errs, errors.New("hazelcaststore: CallTimeout and OpenLimit must not be negative: leave them zero for their defaults"))
	}
	if c.OpenLimit > maxOpen {
		errs = append(errs, fmt.Errorf("hazelcaststore: OpenLimit is %s: use at most %s", c.OpenLimit, maxOpen))
	}
	return errors.Join(errs...)
}
