package rabbitsink

import (
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// maxShort is the length of AMQP's short strings: names, keys and most
// properties. The client would close the connection because of a longer one.
const maxShort = 255

// parcel is a message as it is published.
type parcel struct {
	exchange, key string
	amqp.Publishing
}

// destination returns the destination of the message.
func (p *parcel) destination() string {
	if p.exchange == "" {
		return p.key
	}
	return p.exchange
}

func (s *Sink) pack(m *outbox.Message, frameSize int) (parcel, error) {
	p := parcel{exchange: m.Destination}
	if s.cfg.DefaultExchange {
		p.exchange, p.key = "", m.Destination
	} else {
		p.key = s.cfg.RoutingKey(*m)
	}
	switch {
	case m.Destination == "":
		return p, errors.New("rabbitsink: the message has no destination: name an exchange in the route, or a queue with DefaultExchange")
	case len(p.exchange) > maxShort || len(p.key) > maxShort:
		return p, outbox.Permanent(fmt.Errorf("rabbitsink: exchange %q or routing key %q is longer than %d bytes: shorten it", driver.DestinationName(p.exchange), driver.DestinationName(p.key), maxShort))
	}
	p.Publishing = amqp.Publishing{
		DeliveryMode:  amqp.Persistent,
		ContentType:   contentType(m),
		MessageId:     short(m.Event.ID),
		CorrelationId: short(m.Event.CorrelationID),
		Type:          short(m.Event.Type),
		Body:          m.Payload(),
	}
	if m.Event.OccurredAt.Unix() >= 0 { // AMQP times start in 1970
		p.Timestamp = m.Event.OccurredAt
	}
	return p, p.addHeaders(m.Headers, frameSize)
}

// addHeaders also ensures that all properties fit into one frame, since the
// broker closes the connection because of a larger one.
func (p *parcel) addHeaders(headers map[string]string, frameSize int) error {
	const perHeader, others = 1 + 1 + 4, 2048
	size := others
	p.Headers = make(amqp.Table, len(headers))
	for k, v := range headers {
		if k == "CC" || k == "BCC" {
			return outbox.Permanent(fmt.Errorf("rabbitsink: RabbitMQ expects a list of routing keys in header %q and refuses text: rename it", k))
		}
		if len(k) > maxShort {
			return outbox.Permanent(fmt.Errorf("rabbitsink: the name of header %.40q... has %d bytes, but at most %d are allowed: shorten it", k, len(k), maxShort))
		}
		p.Headers[k] = v
		size += len(k) + len(v) + perHeader
	}
	if frameSize > 0 && size > frameSize {
		return outbox.Permanent(fmt.Errorf("rabbitsink: the headers have %d bytes, but the broker's frame_max is %d: move data into the payload, or raise frame_max", size-others, frameSize))
	}
	return nil
}

// short drops a property that does not fit; the headers carry the same value.
func short(s string) string {
	if len(s) > maxShort {
		return ""
	}
	return s
}

func contentType(m *outbox.Message) string {
	if own := m.Headers["content-type"]; own != "" {
		return short(own)
	}
	if m.Event.JSON != nil {
		return "application/json"
	}
	return "application/octet-stream"
}
