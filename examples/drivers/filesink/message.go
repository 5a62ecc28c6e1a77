package filesink

import (
	"encoding/json"
	"fmt"

	"github.com/sendoff-go/outbox"
)

// Message is the event that a line carries, for an inbox or a handler.
func Message(text []byte) (m outbox.Received, key string, err error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return outbox.Received{}, "", fmt.Errorf("filesink: %w", err)
	}
	return outbox.Received{
		EventID: l.Headers[outbox.HeaderEventID], EventType: l.Headers[outbox.HeaderEventType],
		Payload: l.Payload, Headers: l.Headers,
	}, l.Key, nil
}
