package redissink

import (
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox/sink/internal/certhint"
)

// explain adds advice to a connection error.
func explain(err error) error {
	var (
		answer redis.Error
		hint   string
	)
	if errors.As(err, &answer) && (strings.HasPrefix(answer.Error(), "WRONGPASS") || strings.HasPrefix(answer.Error(), "NOAUTH")) {
		hint = "check the user and the password"
	}
	return certhint.Add(err, "server", hint)
}
