package inbox

import (
	"context"
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox"
)

// item is a message that may be new, with its id.
type item struct {
	id      string
	message outbox.Received
}

// accept reads the ids and skips those that came earlier in the batch and those
// that the cache knows. It keeps the order.
func (c *Consumer[Tx]) accept(ctx context.Context, ms []outbox.Received) ([]item, error) {
	items, seen := make([]item, 0, len(ms)), make(map[string]bool, len(ms))
	for i, m := range ms {
		id, err := c.idOf(m)
		if err != nil {
			return nil, &MessageError{Index: i, Err: err}
		}
		if !seen[id] {
			seen[id] = true
			m.EventID = id
			items = append(items, item{id, m})
		}
	}
	if c.cache == nil || len(items) == 0 {
		return items, nil
	}
	known := c.cache.has(ctx, ids(items))
	left := items[:0]
	for i, it := range items {
		if known == nil || !known[i] {
			left = append(left, it)
		}
	}
	return left, nil
}

func (c *Consumer[Tx]) idOf(m outbox.Received) (string, error) {
	found, err := c.config.EventID(m)
	if err != nil {
		return "", fmt.Errorf("its id cannot be found: %w", err)
	}
	return ID(found)
}

// maxRecord bounds the ids of one statement.
const maxRecord = 1000

// record notes items and returns those that are new, in their order. It sends
// the ids sorted, whatever the order of the messages, so that consumers of
// overlapping batches avoid deadlock.
func (c *Consumer[Tx]) record(ctx context.Context, tx Tx, items []item) ([]item, error) {
	fresh := make(map[string]bool, len(items))
	for chunk := range slices.Chunk(slices.Sorted(slices.Values(ids(items))), maxRecord) {
		answers, err := c.ledger.Record(ctx, tx, c.config.Group, chunk)
		if err != nil {
			return nil, err
		}
		for i, id := range chunk {
			fresh[id] = answers[i]
		}
	}
	return slices.DeleteFunc(slices.Clone(items), func(it item) bool { return !fresh[it.id] }), nil
}

func ids(items []item) []string {
	all := make([]string, len(items))
	for i, it := range items {
		all[i] = it.id
	}
	return all
}

func messages(items []item) []outbox.Received {
	all := make([]outbox.Received, len(items))
	for i, it := range items {
		all[i] = it.message
	}
	return all
}
