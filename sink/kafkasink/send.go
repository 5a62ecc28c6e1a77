package kafkasink

import (
	"context"
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox/driver"
)

// maxPart bounds the records in flight for one Send.
const maxPart = 1000

// overhead is more than a record takes in addition to its key, value and
// headers.
const overhead = 64

// partBytes is the size of a part: less than a batch of the client, so that the
// records of a part and a partition can be one batch. When a broker refuses a
// batch, the client fails what it holds for that partition and accepts what
// comes next: records in a second batch would overtake the first. A client that
// is already sending may start before it has the whole part; this is unlikely,
// but not ruled out.
func (s *Sink) partBytes() int {
	size, _ := s.client.OptValue(kgo.ProducerBatchMaxBytes).(int32)
	return int(size) / 4 * 3
}

// send produces the records part by part. When one part was not delivered,
// later parts are not sent: they would overtake it.
func (s *Sink) send(ctx context.Context, r *records, errs []error) {
	todo := make([]int, 0, len(errs))
	for i := range errs {
		if errs[i] = checkTopic(r.list[i].Topic); errs[i] == nil {
			todo = append(todo, i)
		}
	}
	size := s.partBytes()
	for len(todo) > 0 {
		n := r.part(todo, size)
		s.sendPart(ctx, r, todo[:n], errs)
		err := undelivered(errs, todo[:n])
		todo = todo[n:]
		if err != nil {
			fail(errs, todo, err)
			return
		}
	}
}

// fail answers records that were not sent with the error of other records.
func fail(errs []error, todo []int, err error) {
	for _, i := range todo {
		errs[i] = driver.NotSent(err)
	}
}

// undelivered returns the error of a record that will be resent for a reason
// other than itself or its topic.
func undelivered(errs []error, todo []int) error {
	var code *kerr.Error
	for _, i := range todo {
		if err := errs[i]; err != nil && (!errors.As(err, &code) || untimely(err) || connection(code) || code.Retriable && !unknownTopic(err)) {
			return err
		}
	}
	return nil
}

// sendPart produces records, and retries those that may have failed because of
// another record.
func (s *Sink) sendPart(ctx context.Context, r *records, todo []int, errs []error) {
	if !s.gate.enter(ctx) {
		fail(errs, todo, context.Cause(ctx))
		return
	}
	if err := s.ready(ctx); err != nil {
		s.gate.leave()
		fail(errs, todo, err)
		return
	}
	s.produce(ctx, r, todo, errs)
	s.gate.leave()
	todo = allRefused(errs, todo)
	if len(todo) == 0 {
		return
	}
	if s.isClosed() || !s.gate.enterAlone(ctx) {
		fail(errs, todo, s.ended(ctx)) // it is not known which of them was refused
		return
	}
	defer s.gate.leaveAlone()
	s.isolate(ctx, r, todo, errs)
}

// ended returns why a Send ends.
func (s *Sink) ended(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errClosed
}

// isolate finds out which records the broker refuses: the broker answers for a
// batch, and the client then fails all records of the partition.
func (s *Sink) isolate(ctx context.Context, r *records, todo []int, errs []error) {
	s.produce(ctx, r, todo, errs)
	todo = allRefused(errs, todo)
	half := len(todo) / 2
	if half == 0 {
		return
	}
	s.isolate(ctx, r, todo[:half], errs)
	if err := undelivered(errs, todo[:half]); err != nil {
		fail(errs, todo[half:], err)
		return
	}
	s.isolate(ctx, r, todo[half:], errs)
}
