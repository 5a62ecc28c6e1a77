package rabbitsink

import (
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// maxShort is the length of AMQP's short strings: names, keys and most
// properties. The client would end the connection over a longer one.
const maxShort = 255

// parcel is a message as it is published.
type parcel struct {
	exchange, key string
	amqp.Publishing
}

// destination is what the message was to be sent to.
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
	if m.Event.OccurredAt.Unix() >= 0 { // AMQP counts from 1970 on
		p.Timestamp = m.Event.OccurredAt
	}
	return p, p.addHeaders(m.Headers, frameSize)
}

// addHeaders also sees to it that all properties fit into one frame, since the
// broker closes the connection over a larger one.
func (p *parcel) addHeaders(headers map[string]string, frameSize int) error {
	const perHeader, others = 1 + 1 + 4, 2048
	size := others
	p.Headers = make(amqp.Table, len(headers))
	for k, v := range headers {
		if k == "CC" || k == "BCC" {
			return outbox.Permanent(fmt.Errorf("rabbitsink: header %q is where RabbitMQ expects a list of routing keys, and refuses a text: rename it", k))
		}
		if len(k) > maxShort {
			return outbox.Permanent(fmt.Errorf("rabbitsink: the name of header %.40q... has %d bytes, at most %d are allowed: shorten it", k, len(k), maxShort))
		}
		p.Headers[k] = v
		size += len(k) + len(v) + perHeader
	}
	if frameSize > 0 && size > frameSize {
		return outbox.Permanent(fmt.Errorf("rabbitsink: the headers have %d bytes and the broker's frame_max is %d: move data into the payload, or raise frame_max", size-others, frameSize))
	}
	return nil
}

// short leaves out a property that does not fit; the headers carry the same.
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
