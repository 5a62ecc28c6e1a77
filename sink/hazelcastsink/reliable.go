package hazelcastsink

import (
	"encoding/binary"

	"github.com/hazelcast/hazelcast-go-client/serialization"
)

// ringPrefix and the topic's name are the name of the ring buffer that a
// reliable topic is made of. The client for Go has ring buffers and no reliable
// topics.
const ringPrefix = "_hz_rb_"

// reliableMessage is an item of such a ring buffer:
// com.hazelcast.topic.impl.reliable.ReliableTopicMessage.
type reliableMessage struct {
	published int64 // Unix time in milliseconds
	payload   []byte
}

var _ serialization.IdentifiedDataSerializable = (*reliableMessage)(nil)

// newReliableMessage wraps a message as Hazelcast has it in memory: the hash of
// a partition, which no message has, the type, and the text with its length.
func newReliableMessage(text serialization.JSON, published int64) *reliableMessage {
	const typeJSON = -130
	b := make([]byte, 0, len(text)+12)
	b = binary.BigEndian.AppendUint32(b, 0)
	b = binary.BigEndian.AppendUint32(b, 1<<32+typeJSON)
	b = binary.BigEndian.AppendUint32(b, uint32(len(text))) //nolint:gosec // far less than 4 GiB
	return &reliableMessage{published: published, payload: append(b, text...)}
}

// FactoryID implements [serialization.IdentifiedDataSerializable].
func (*reliableMessage) FactoryID() int32 { return -9 }

// ClassID implements [serialization.IdentifiedDataSerializable].
func (*reliableMessage) ClassID() int32 { return 2 }

// WriteData implements [serialization.IdentifiedDataSerializable]. A client has
// no address of a publisher to write.
func (m *reliableMessage) WriteData(out serialization.DataOutput) {
	out.WriteInt64(m.published)
	out.WriteObject(nil)
	out.WriteByteArray(m.payload)
}

// ReadData implements [serialization.IdentifiedDataSerializable].
func (m *reliableMessage) ReadData(in serialization.DataInput) {
	m.published = in.ReadInt64()
	in.ReadObject()
	m.payload = in.ReadByteArray()
}
