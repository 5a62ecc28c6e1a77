package kafkasink

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Check implements [driver.Checker]: it passes when a broker answers, and so do
// the leaders of the topics that could not be reached. A broker that is down
// takes its partitions with it, while the rest of the cluster answers.
func (s *Sink) Check(ctx context.Context) error {
	if s.isClosed() {
		return errClosed
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if err := s.ping(ctx); err != nil {
		return fmt.Errorf("kafkasink: no broker answers: %w", explain(err))
	}
	topics := s.failed.List()
	if len(topics) == 0 {
		return nil
	}
	leaders, err := s.leaders(ctx, topics)
	if err != nil {
		return err
	}
	for leader := range leaders {
		if _, err := s.client.Broker(int(leader)).Request(ctx, kmsg.NewPtrApiVersionsRequest()); err != nil {
			return fmt.Errorf("kafkasink: broker %d does not answer: %w", leader, err)
		}
	}
	s.failed.Remove(topics)
	return nil
}

// leaders returns the brokers that lead the partitions of these topics. Every
// partition must have a leader; a topic that does not exist does not fail the
// check.
func (s *Sink) leaders(ctx context.Context, topics []string) (map[int32]struct{}, error) {
	req := kmsg.NewPtrMetadataRequest()
	for _, t := range topics {
		topic := kmsg.NewMetadataRequestTopic()
		topic.Topic = kmsg.StringPtr(t)
		req.Topics = append(req.Topics, topic)
	}
	resp, err := req.RequestWith(ctx, s.client)
	if err != nil {
		return nil, fmt.Errorf("kafkasink: no broker returns the metadata of the topics: %w", err)
	}
	leaders := map[int32]struct{}{}
	for _, t := range resp.Topics {
		for _, p := range t.Partitions {
			err := kerr.ErrorForCode(p.ErrorCode)
			if p.Leader < 0 || errors.Is(err, kerr.LeaderNotAvailable) {
				return nil, fmt.Errorf("kafkasink: partition %d of topic %q has no leader", p.Partition, *t.Topic)
			}
			leaders[p.Leader] = struct{}{}
		}
	}
	return leaders, nil
}
