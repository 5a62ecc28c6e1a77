package natssink

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/sendoff-go/outbox"
)

// messageIDs makes the values of Nats-Msg-Id. It is not safe for concurrent use.
type messageIDs struct{ buf []byte }

// of returns the event id and a digest of everything else that distinguishes
// messages: a stream drops an id that it has seen on any of its subjects, from
// any sender, and answers as if it had accepted the message. The subject
// distinguishes destinations, the seq a replay from a retry, and the event's
// content two events that share an id.
//
// A message has the same id each time it is sent. So the digest leaves out what
// may differ between attempts: headers, which carry the trace of the delivery,
// and time below the millisecond, which not every database keeps. Too fine an
// id costs a duplicate, too coarse an id costs an event.
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
