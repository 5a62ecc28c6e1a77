package hazelcastsink

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
	"github.com/hazelcast/hazelcast-go-client/serialization"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/internal/keyrow"
)

// queue is what a Send has for one topic.
type queue struct {
	topic string
	at    []int // in the batch
	texts []serialization.JSON
}

// maxBytes is how large a request may be that has more than one message. The
// client writes 16 KiB at a time, without TCP_NODELAY: the rest of a larger
// request would wait 40 ms for an acknowledgement of its beginning.
const maxBytes = 15 << 10

// overhead is what a message takes besides its text, and a request besides its
// messages.
const overhead = 80

// next returns how many messages make the next request.
func (q *queue) next() int {
	n, size := 1, len(q.texts[0])+2*overhead+len(q.topic)
	for n < len(q.texts) && size+len(q.texts[n])+overhead <= maxBytes {
		size += len(q.texts[n]) + overhead
		n++
	}
	return n
}

// drain publishes a queue, request by request, until one fails: what is behind
// it must not overtake it.
func (s *Sink) drain(ctx context.Context, in *session, q *queue, errs []error) {
	for most := len(q.at); len(q.at) > 0; {
		n := min(q.next(), most)
		err := s.request(ctx, in, q.topic, q.texts[:n])
		if errors.Is(err, errFull) && n > 1 {
			most = (n + 1) / 2 // a ring buffer takes all messages of a request or none
			continue
		}
		for i, at := range q.at {
			if i < n {
				errs[at] = err
			} else if err != nil {
				errs[at] = keyrow.Behind(err)
			}
		}
		if err != nil {
			return
		}
		q.at, q.texts = q.at[n:], q.texts[n:]
	}
}

// grace is how long an answer may take after the end of the context: the client
// has the same one, and knows best what has become of the request.
const grace = 100 * time.Millisecond

var errLost = errors.New("the connection to the cluster was lost")

// request publishes messages and waits for the answer.
func (s *Sink) request(ctx context.Context, in *session, topic string, texts []serialization.JSON) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(in.ctx, func() { cancel(errLost) })()
	var sent atomic.Bool
	answered := make(chan error, 1)
	if !s.run(func() { answered <- s.call(ctx, in.client, topic, texts, &sent) }) {
		return outbox.Unavailable(errClosed)
	}
	var err error
	select {
	case err = <-answered:
		return classify(topic, err, sent.Load())
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err = <-answered:
		if err != nil {
			err = fmt.Errorf("no answer: %w", context.Cause(ctx))
		}
	case <-timer.C: // the client sleeps, whatever its context
		err = fmt.Errorf("no answer: %w", context.Cause(ctx))
	}
	return classify(topic, err, sent.Load())
}

// errFull means that a ring buffer has no room: nobody may drop its items
// before their time.
var errFull = errors.New("the ring buffer of the topic is full, and its items are kept for time-to-live-seconds: wait, or give it a larger capacity")

// call makes the request, and sets sent before the cluster may get a message.
func (s *Sink) call(ctx context.Context, client *hazelcast.Client, topic string, texts []serialization.JSON, sent *atomic.Bool) error {
	items := make([]any, len(texts))
	if !s.cfg.Reliable {
		t, err := client.GetTopic(ctx, topic)
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		for i := range texts {
			items[i] = texts[i]
		}
		sent.Store(true)
		return t.PublishAll(ctx, items...)
	}
	ring, err := client.GetRingbuffer(ctx, ringPrefix+topic)
	if err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	now := time.Now().UnixMilli()
	for i := range texts {
		items[i] = newReliableMessage(texts[i], now)
	}
	sent.Store(true)
	at, err := ring.AddAll(ctx, hazelcast.OverflowPolicyFail, items...)
	if err == nil && at < 0 {
		return outbox.Unavailable(driver.NotSent(fmt.Errorf("hazelcastsink: topic %q: %w", driver.DestinationName(topic), errFull)))
	}
	return err
}
