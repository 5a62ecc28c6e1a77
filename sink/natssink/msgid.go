package natssink

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/sendoff-go/outbox"
)

// messageIDs makes the values of Nats-Msg-Id. It is not safe for concurrent use.
type messageIDs struct{ buf []byte }

// of is the event id and a digest of what else tells one message from another: a
// stream drops an id that it has had for any of its subjects, from any sender,
// and answers as if it had taken the message. The subject tells destinations
// apart, the seq a replay from a repetition, and what the event says two events
// that share their id.
//
// The same message has the same id whenever it is sent. So what may differ
// between two attempts is left out: headers, which carry the trace of the
// delivery, and the time below the millisecond, which not every database keeps.
// Too fine an id costs a duplicate, too coarse a one an event.
func (d *messageIDs) of(m *outbox.Message) string {
	e := &m.Event
	d.buf = d.buf[:0]
	for _, s := range [...]string{m.Destination, e.Type, e.AggregateType, e.AggregateID, e.TenantID} {
		d.buf = binary.AppendUvarint(d.buf, uint64(len(s)))
		d.buf = append(d.buf, s...)
	}
	d.buf = binary.BigEndian.AppendUint64(d.buf, uint64(m.Delivery.Seq))
	if !e.OccurredAt.IsZero() {
		d.buf = binary.BigEndian.AppendUint64(d.buf, uint64(e.OccurredAt.UnixMilli()))
	}
	d.buf = append(d.buf, m.Payload()...)
	sum := sha256.Sum256(d.buf)
	const bits = 128 / 8
	return e.ID + "." + base64.RawURLEncoding.EncodeToString(sum[:bits])
}
