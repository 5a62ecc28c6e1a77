package console

import (
	"slices"

	"github.com/sendoff-go/outbox/admin"
)

// known is the state of the outbox: as it was last recorded, or else as it is.
func (c *Console) known(k *caller) (s admin.Status, err error) {
	s, known, _ := c.recorder.state()
	if !known {
		err = k.get("/api/v1/status", nil, &s)
	}
	return s, err
}

// typesOf are the event types that have rows or a relay, in order.
func typesOf(s admin.Status) (out []string) {
	for _, l := range s.Types {
		out = append(out, l.Type)
	}
	for _, in := range s.Relays {
		out = append(out, in.Types...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// maySearch reports whether somebody may search in payloads: only people who may see
// them may.
func (c *Console) maySearch(p admin.Person) bool {
	return (!c.cfg.API.HidePayloads || p.Role.AtLeast(admin.Operator)) && (len(c.cfg.API.Mask) == 0 || p.Role.AtLeast(admin.Admin))
}
