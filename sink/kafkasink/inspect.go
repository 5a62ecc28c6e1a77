package kafkasink

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Inspect says what is wrong with a topic, for diagnosis: it does not exist, has
// a partition without a leader, or the user may not write to it, as far as the
// brokers tell. It creates no topic. It is safe for concurrent use.
func (s *Sink) Inspect(ctx context.Context, topic string) error {
	if s.isClosed() {
		return errClosed
	}
	if err := checkTopic(topic); err != nil {
		return err
	}
	req := kmsg.NewPtrMetadataRequest()
	req.IncludeTopicAuthorizedOperations = true
	asked := kmsg.NewMetadataRequestTopic()
	asked.Topic = kmsg.StringPtr(topic)
	req.Topics = append(req.Topics, asked)
	resp, err := req.RequestWith(ctx, s.client)
	if err != nil {
		return fmt.Errorf("kafkasink: no broker returns the metadata of topic %q: %w", topic, explain(err))
	}
	for _, t := range resp.Topics {
		switch err := kerr.ErrorForCode(t.ErrorCode); {
		case errors.Is(err, kerr.UnknownTopicOrPartition):
			return fmt.Errorf("kafkasink: topic %q does not exist: create it, or name another one in the route", topic)
		case errors.Is(err, kerr.TopicAuthorizationFailed):
			return fmt.Errorf("kafkasink: the user may not see topic %q: grant WRITE and DESCRIBE on it", topic)
		case err != nil:
			return fmt.Errorf("kafkasink: topic %q: %w", topic, err)
		}
		if !mayWrite(t.AuthorizedOperations) {
			return fmt.Errorf("kafkasink: the user may not write to topic %q: grant WRITE on it", topic)
		}
		for _, p := range t.Partitions {
			if p.Leader < 0 {
				return fmt.Errorf("kafkasink: partition %d of topic %q has no leader: see which broker is down", p.Partition, topic)
			}
		}
	}
	return nil
}

// mayWrite reads the bits of what the user may do. Brokers without an authorizer,
// or before 2.3, do not say, which the protocol encodes as the smallest number.
func mayWrite(operations int32) bool {
	const unknown, all, write = -1 << 31, 1 << 2, 1 << 4
	return operations == unknown || operations == 0 || operations&(all|write) != 0
}
