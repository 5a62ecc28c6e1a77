package redissink

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox"
)

// FieldPayload is the field of an entry that holds the payload.
const FieldPayload = "payload"

// addition is the command that appends an entry. No client retries it by
// itself, whatever its MaxRetries or MaxRedirects: when the answer was lost,
// the entry may have been written. A cluster's redirections are followed, since
// they mean that it was not.
type addition struct{ *redis.StringCmd }

// NoRetry is called by the client.
func (addition) NoRetry() bool { return true }

// commands returns one for each message that has no answer yet. They share no
// memory with the batch, since the client may still send them after Send has
// given up.
func (s *Sink) commands(ctx context.Context, batch []outbox.Message, errs []error) []*redis.StringCmd {
	cmds := make([]*redis.StringCmd, len(batch))
	size := 0
	for i := range batch {
		size += len(batch[i].Payload())
	}
	payloads := make([]byte, 0, size)
	for i := range batch {
		m := &batch[i]
		if errs[i] = refuse(m); errs[i] != nil {
			continue
		}
		at := len(payloads)
		payloads = append(payloads, m.Payload()...)
		cmds[i] = redis.NewStringCmd(ctx, s.args(m, payloads[at:])...)
	}
	return cmds
}

func refuse(m *outbox.Message) error {
	if m.Destination == "" {
		return errors.New("redissink: the message has no destination: name a stream in the route")
	}
	if _, ok := m.Headers[FieldPayload]; ok {
		return outbox.Permanent(fmt.Errorf("redissink: header %q has the name of the payload's field: rename it", FieldPayload))
	}
	return nil
}

func (s *Sink) args(m *outbox.Message, payload []byte) []any {
	args := make([]any, 0, 9+2*len(m.Headers))
	args = append(args, "xadd", m.Destination)
	if s.cfg.RequireStream {
		args = append(args, "nomkstream")
	}
	if s.cfg.MaxLen > 0 {
		args = append(args, "maxlen", "~", s.cfg.MaxLen)
	}
	args = append(args, "*")
	for name, value := range m.Headers {
		args = append(args, name, value)
	}
	return append(args, FieldPayload, payload)
}

// Message returns the event in an entry of a stream, for package inbox. An
// entry without the field outbox_event_id has an empty EventID, which the inbox
// refuses. It is safe for concurrent use.
func Message(x redis.XMessage) outbox.Received {
	r := outbox.Received{Headers: make(map[string]string, len(x.Values))}
	for name, value := range x.Values {
		text, ok := value.(string)
		if !ok {
			text = fmt.Sprint(value)
		}
		if name == FieldPayload {
			r.Payload = []byte(text)
		} else {
			r.Headers[name] = text
		}
	}
	r.EventID, r.EventType = r.Headers[outbox.HeaderEventID], r.Headers[outbox.HeaderEventType]
	return r
}
