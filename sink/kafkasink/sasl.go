package kafkasink

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// SASL holds credentials. The zero value means no authentication.
type SASL struct {
	// Mechanism is PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512. PLAIN sends the password
	// in clear text, so use it only with TLS.
	Mechanism string
	User      string
	Password  string
}

func (s SASL) mechanism() (sasl.Mechanism, error) {
	if s == (SASL{}) {
		return nil, nil
	}
	if s.User == "" {
		return nil, fmt.Errorf("kafkasink: SASL has no User: set it, or leave SASL empty")
	}
	switch s.Mechanism {
	case "PLAIN":
		return plain.Auth{User: s.User, Pass: s.Password}.AsMechanism(), nil
	case "SCRAM-SHA-256":
		return scram.Auth{User: s.User, Pass: s.Password}.AsSha256Mechanism(), nil
	case "SCRAM-SHA-512":
		return scram.Auth{User: s.User, Pass: s.Password}.AsSha512Mechanism(), nil
	}
	return nil, fmt.Errorf("kafkasink: SASL mechanism %q is not known: use PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512", s.Mechanism)
}
