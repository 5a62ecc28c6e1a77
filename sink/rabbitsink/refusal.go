package rabbitsink

import (
	"fmt"
	"strconv"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// blame fails the messages that made the broker close a channel, as far as the
// broker's text identifies them, and returns the others. The first tried
// messages were published on that channel; later ones fail too if they would be
// refused for the same reason.
func (b *sending) blame(refusal *amqp.Error, todo []int, tried int) []int {
	left := make([]int, 0, len(todo))
	size := 0
	for n, i := range todo {
		p := &b.parcels[i]
		switch {
		case refusal.Code == amqp.PreconditionFailed && size == 0 && n < tried && strings.Contains(refusal.Reason, "message size "+strconv.Itoa(len(p.Body))+" "):
			size = len(p.Body)
			b.refusedBody(size)
			b.errs[i] = tooLarge(size, refusal)
		case size > 0 && len(p.Body) >= size:
			b.errs[i] = tooLarge(len(p.Body), refusal)
		case refusal.Code == amqp.NotFound && names(refusal, "exchange", p.exchange):
			b.lost(p.exchange)
			b.errs[i] = missingExchange(p.exchange)
		case refusal.Code == amqp.AccessRefused && names(refusal, "exchange", p.exchange) &&
			(!strings.Contains(refusal.Reason, "topic '") || names(refusal, "topic", p.key)):
			b.errs[i] = fmt.Errorf("rabbitsink: the user may not publish to exchange %q with key %q: grant the write permission: %w", driver.DestinationName(p.exchange), driver.DestinationName(p.key), driver.DestinationError(refusal, p.exchange))
		default:
			left = append(left, i)
			continue
		}
		b.unheard[i] = false // this is the answer
	}
	return left
}

func names(e *amqp.Error, kind, name string) bool {
	return strings.Contains(e.Reason, kind+" '"+name+"'")
}

func missingExchange(name string) error {
	return fmt.Errorf("rabbitsink: exchange %q does not exist: declare it and bind a queue, or name another one in the route", driver.DestinationName(name))
}

func tooLarge(size int, cause error) error {
	return outbox.Permanent(fmt.Errorf("rabbitsink: the payload of %d bytes is larger than the broker allows: store it elsewhere and send a reference, or raise max_message_size there: %w", size, cause))
}

// unprovenSize is the size from which a payload is first sent alone. A broker
// that finds it too large closes the channel, and the confirmations of the
// messages before it would be lost.
const unprovenSize = 256 << 10

// refusedBody remembers the smallest payload that was refused for its size.
func (c *conn) refusedBody(size int) {
	if old := c.refused.Load(); old == 0 || int64(size) < old {
		c.refused.Store(int64(size))
	}
}

// refuseBody spares the broker a payload that it is known to refuse.
func (c *conn) refuseBody(size int) error {
	if limit := c.refused.Load(); limit > 0 && int64(size) >= limit {
		return tooLarge(size, fmt.Errorf("a payload of %d bytes was refused before", limit))
	}
	return nil
}

// together returns how many of the messages, at least one, may be published as
// one batch.
func (b *sending) together(todo []int) int {
	proven := b.proven.Load()
	for n, i := range todo[:min(window, len(todo))] {
		if int64(len(b.parcels[i].Body)) > proven {
			return max(n, 1)
		}
	}
	return min(window, len(todo))
}

// prove notes that a message of that size was accepted.
func (b *sending) prove(i int) {
	if size := int64(len(b.parcels[i].Body)); b.errs[i] == nil && size > b.proven.Load() {
		b.proven.Store(size)
	}
}
