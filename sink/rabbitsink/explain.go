package rabbitsink

import (
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox/sink/internal/certhint"
)

// explain adds advice to a connection error.
func explain(err error) error {
	var (
		refusal *amqp.Error
		hint    string
	)
	if errors.As(err, &refusal) && refusal.Code == amqp.AccessRefused {
		hint = "check the user and the password, and the user's permissions on the virtual host"
	}
	return certhint.Add(err, "broker", hint)
}
