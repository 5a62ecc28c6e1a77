package outbox

import "encoding/json"

// Codec turns values into payloads and back. It must be safe for concurrent
// use. The default is encoding/json.
type Codec interface {
	// Encode sets e.JSON or e.Bytes.
	Encode(e *Event, v any) error
	// Decode reads the payload of m into v, a pointer. It must not change m.
	Decode(m Received, v any) error
}

// jsonCodec is encoding/json.
type jsonCodec struct{}

func (jsonCodec) Encode(e *Event, v any) error {
	text, err := json.Marshal(v)
	e.JSON = text
	return err
}

func (jsonCodec) Decode(m Received, v any) error { return json.Unmarshal(m.Payload, v) }
