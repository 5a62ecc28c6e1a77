package rabbitsink

import (
	"context"
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Inspect says whether an exchange, or with [Config].DefaultExchange a queue,
// exists, for diagnosis. It declares nothing. Whether the user may publish is
// known only when it does. It is safe for concurrent use.
func (s *Sink) Inspect(ctx context.Context, destination string) error {
	c, err := s.connect(ctx)
	if err != nil {
		return outbox.Unavailable(err)
	}
	err = c.probe(ctx, func(ch *amqp.Channel) error {
		if s.cfg.DefaultExchange {
			_, err := ch.QueueDeclarePassive(destination, true, false, false, false, nil)
			return err
		}
		return ch.ExchangeDeclarePassive(destination, amqp.ExchangeTopic, true, false, false, false, nil)
	})
	var refusal *amqp.Error
	switch {
	case !errors.As(err, &refusal):
		return err
	case refusal.Code == amqp.NotFound && s.cfg.DefaultExchange:
		return fmt.Errorf("rabbitsink: queue %q does not exist: declare it, or name another one in the route", driver.DestinationName(destination))
	case refusal.Code == amqp.NotFound:
		return missingExchange(destination)
	case refusal.Code == amqp.AccessRefused:
		return fmt.Errorf("rabbitsink: the user may not see %q: grant permissions on it: %w", driver.DestinationName(destination), driver.DestinationError(refusal, destination))
	}
	return driver.DestinationError(err, destination)
}
