package kafkasink

import (
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// records makes the records of a batch. They share one copy of all bytes, since
// the client may still read them after Send has returned, when the caller
// reuses its buffers.
type records struct {
	list []kgo.Record
	sent []bool
}

func newRecords(batch []outbox.Message) *records {
	size, headers := 0, 0
	for i := range batch {
		m := &batch[i]
		size += len(m.Payload()) + len(m.Key)
		headers += len(m.Headers)
		for _, v := range m.Headers {
			size += len(v)
		}
	}
	slab := make([]byte, 0, size)
	all := make([]kgo.RecordHeader, 0, headers)
	r := &records{list: make([]kgo.Record, len(batch)), sent: make([]bool, len(batch))}
	for i := range batch {
		m := &batch[i]
		rec := &r.list[i]
		rec.Topic = m.Destination
		slab, rec.Value = keep(slab, m.Payload())
		if m.Key != "" { // a record without a key goes to any partition
			slab, rec.Key = keep(slab, m.Key)
		}
		from := len(all)
		for name, value := range m.Headers {
			h := kgo.RecordHeader{Key: name}
			slab, h.Value = keep(slab, value)
			all = append(all, h)
		}
		rec.Headers = slices.Clip(all[from:])
	}
	return r
}

// keep copies b into the slab, which has room for it.
func keep[B []byte | string](slab []byte, b B) (grown, kept []byte) {
	from := len(slab)
	slab = append(slab, b...)
	return slab, slab[from:len(slab):len(slab)]
}

// fresh returns a copy of the record that was never sent, with that timestamp.
func (r *records) fresh(i int, now time.Time) *kgo.Record {
	rec := &r.list[i]
	if r.sent[i] {
		*rec = kgo.Record{Topic: rec.Topic, Key: rec.Key, Value: rec.Value, Headers: rec.Headers}
	}
	r.sent[i], rec.Timestamp = true, now
	return rec
}

// part returns how many of the records, at least one, may be in flight
// together.
func (r *records) part(todo []int, limit int) int {
	size := 0
	for n, i := range todo[:min(maxPart, len(todo))] {
		rec := &r.list[i]
		size += overhead + len(rec.Value) + len(rec.Key)
		for _, h := range rec.Headers {
			size += 8 + len(h.Key) + len(h.Value)
		}
		if size > limit {
			return max(n, 1)
		}
	}
	return min(maxPart, len(todo))
}

// checkTopic refuses names that no broker accepts, so that they are not looked
// up again and again.
func checkTopic(topic string) error {
	if topic == "" || topic == "." || topic == ".." || len(topic) > 249 || illegal(topic) {
		return outbox.Permanent(fmt.Errorf("kafkasink: %q is not a valid topic name (1 to 249 letters, digits, dots, dashes and underscores): route the event with outbox.To", driver.DestinationName(topic)))
	}
	return nil
}

// illegal loops over the bytes itself because it runs for every message.
func illegal(topic string) bool {
	for i := range len(topic) {
		switch c := topic[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return true
		}
	}
	return false
}
