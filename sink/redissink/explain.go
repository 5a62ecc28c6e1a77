package redissink

import (
	"errors"
	"fmt"
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
	switch {
	case errors.As(err, &answer) && (strings.HasPrefix(answer.Error(), "WRONGPASS") || strings.HasPrefix(answer.Error(), "NOAUTH")):
		hint = "check the user and the password"
	case strings.Contains(err.Error(), "tls: certificate required"): // crypto/tls has no error for it
		hint = "the server requires a client certificate: set Certificates of TLS (cert-file and key-file)"
	default:
		if hint = certhint.Of(err, "server"); hint == "" {
			return err
		}
	}
	return fmt.Errorf("%w: %s", err, hint)
}
