package natssink

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
)

// ask finds out whether the leader of a subject's stream answers. It asks for
// the stream by name: a message to the subject itself would also reach its
// subscribers. A stream that does not exist passes, and so does one that the
// user may not ask for: the next event will tell.
func (s *Sink) ask(ctx context.Context, subject string) error {
	var found struct {
		Streams []string `json:"streams"`
	}
	err := s.request(ctx, "$JS.API.STREAM.NAMES", map[string]string{"subject": subject}, &found)
	for _, name := range found.Streams {
		if err = s.request(ctx, "$JS.API.STREAM.INFO."+name, struct{}{}, &struct{}{}); err != nil {
			break
		}
	}
	var refusal *ackError
	if errors.Is(err, errNotAllowed) || errors.Is(err, nats.ErrNoResponders) || errors.As(err, &refusal) && !refusal.closed() {
		return nil
	}
	return err
}

// closed reports whether the stream's servers are in trouble, rather than the
// request being wrong.
func (e *ackError) closed() bool {
	const (
		noAccount = 10039 // JetStream is not enabled for the account, which may import a stream
		noServer  = 10076
	)
	return e.away() && e.ErrCode != noAccount && e.ErrCode != noServer
}

var errNotAllowed = errors.New("the user may not call the JetStream API")

// request calls the server's API. A user without the permission gets no answer,
// only a connection error, which arrives before the answer to a ping.
func (s *Sink) request(ctx context.Context, api string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	sub, err := s.nc.SubscribeSync(s.nc.NewInbox())
	if err != nil {
		return err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := s.nc.PublishRequest(api, sub.Subject, body); err != nil {
		return err
	}
	if err := s.nc.FlushWithContext(ctx); err != nil {
		return err
	}
	if err := s.nc.LastError(); errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(strings.ToUpper(err.Error()), strings.ToUpper(api)) {
		return errNotAllowed
	}
	m, err := sub.NextMsgWithContext(ctx)
	if err != nil {
		return err
	}
	var failed struct {
		Error *ackError `json:"error"`
	}
	if err := errors.Join(json.Unmarshal(m.Data, &failed), json.Unmarshal(m.Data, answer)); err != nil {
		return fmt.Errorf("the answer cannot be read: %.100q", m.Data)
	}
	if failed.Error != nil {
		return failed.Error
	}
	return nil
}
