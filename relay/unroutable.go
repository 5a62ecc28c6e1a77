package relay

import (
	"fmt"

	"github.com/sendoff-go/outbox"
)

// unroutable is the failure of an event without a destination.
func (r *Relay) unroutable() error {
	if r.cfg.Advice == "" {
		return outbox.ErrUnroutable
	}
	return fmt.Errorf("%w: %s", outbox.ErrUnroutable, r.cfg.Advice)
}

// whoElse says what may become of events that wait here for nobody.
func (r *Relay) whoElse() string {
	if r.cfg.Advice == "" {
		return "another relay may have one"
	}
	return "another relay may have one, or " + r.cfg.Advice
}
