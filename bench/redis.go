package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/redissink"
)

func redisKind() brokerKind { return brokerKind{variable: "OUTBOX_TEST_REDIS", open: openRedis} }

type redisBroker struct {
	url    string
	client *redis.Client
}

func openRedis(_ context.Context, url string) (broker, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	return &redisBroker{url: url, client: redis.NewClient(o)}, nil
}

// create has nothing to make, but waits until the server has rewritten its log
// of the run before.
func (b *redisBroker) create(ctx context.Context, _ string) error {
	for {
		info, err := b.client.Info(ctx, "persistence").Result()
		if err != nil || !strings.Contains(info, "aof_rewrite_in_progress:1") {
			return err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (b *redisBroker) sink(log *slog.Logger) (closingSink, error) {
	return redissink.New(redissink.Config{URL: b.url, Logger: log})
}

func (b *redisBroker) sender(ms []outbox.Message) sender {
	s := &redisSender{url: b.url, commands: make([][]any, len(ms))}
	for i := range ms {
		m := &ms[i]
		args := []any{"xadd", m.Destination, "*"}
		for name, value := range m.Headers {
			args = append(args, name, value)
		}
		s.commands[i] = append(args, redissink.FieldPayload, m.Payload())
	}
	return s
}

// readPage is how many entries are read back at once.
const readPage = 5000

func (b *redisBroker) read(ctx context.Context, to string, got func(payload []byte)) error {
	from := "-"
	for {
		page, err := b.client.XRangeN(ctx, to, from, "+", readPage).Result()
		if err != nil || len(page) == 0 {
			return err
		}
		for _, entry := range page {
			got(redissink.Message(entry).Payload)
		}
		from = "(" + page[len(page)-1].ID
	}
}

func (b *redisBroker) remove(ctx context.Context, to string) error {
	return b.client.Del(ctx, to).Err()
}

func (b *redisBroker) close() { _ = b.client.Close() } // nothing is on its way

type redisSender struct {
	url      string
	commands [][]any
	client   *redis.Client
}

func (s *redisSender) connect(_ context.Context, hands int) error {
	o, err := redis.ParseURL(s.url)
	if err != nil {
		return err
	}
	o.MaxRetries, o.ContextTimeoutEnabled, o.PoolSize = -1, true, hands
	o.ReadTimeout, o.WriteTimeout = 30*time.Second, 30*time.Second
	s.client = redis.NewClient(o)
	return nil
}

func (s *redisSender) send(ctx context.Context, _, from, to int) error {
	pipe := s.client.Pipeline()
	for _, args := range s.commands[from:to] {
		pipe.Do(ctx, args...)
	}
	answers, err := pipe.Exec(ctx)
	if err == nil && len(answers) != to-from {
		err = errors.New("not every command was answered")
	}
	return err
}

func (s *redisSender) close() {
	if s.client != nil {
		_ = s.client.Close() // all is answered
	}
}
