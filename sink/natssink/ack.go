package natssink

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox/driver"
)

// hear handles an answer of the server.
func (s *Sink) hear(m *nats.Msg) {
	flight, index, _ := strings.Cut(strings.TrimPrefix(m.Subject, s.inbox), ".")
	id, err := strconv.ParseUint(flight, 36, 64)
	i, indexErr := strconv.ParseUint(index, 36, 31)
	if err != nil || indexErr != nil {
		return
	}
	s.mu.Lock()
	f := s.flights[id]
	s.mu.Unlock()
	if f != nil {
		f.note(int(i), readAnswer(m))
	}
}

// ackError is a stream's refusal.
type ackError struct {
	Code        int    `json:"code"`
	ErrCode     int    `json:"err_code"`
	Description string `json:"description"`
}

func (e *ackError) Error() string {
	return fmt.Sprintf("%s (code %d, error %d)", e.Description, e.Code, e.ErrCode)
}

// readAnswer returns nil if the stream has the message. A duplicate counts as
// well, since the message id identifies exactly this message.
func readAnswer(m *nats.Msg) error {
	if len(m.Data) == 0 && m.Header.Get("Status") == "503" {
		return nats.ErrNoResponders
	}
	var ack struct {
		Stream string    `json:"stream"`
		Error  *ackError `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &ack); err != nil || ack.Error == nil && ack.Stream == "" {
		return driver.Uncertain(fmt.Errorf("the answer is not from a stream: %.100q", m.Data))
	}
	switch {
	case ack.Error == nil:
		return nil
	case ack.Error.ErrCode == errCodeInProcess:
		return driver.Uncertain(ack.Error)
	}
	return ack.Error
}

// answered reports whether the error is a stream's answer.
func answered(err error) bool {
	var ack *ackError
	return err == nil || errors.As(err, &ack)
}
