package httpsink

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/sendoff-go/outbox"
)

// MaxBody is what [Message] and [Verify] read of a request: enough for the
// largest payload as base64 with everything around it.
const MaxBody = 2 << 20

// Message is the event in a request, for package inbox. It reads CloudEvents in
// binary and in structured mode, and any other request as payload and headers;
// the names of headers are in small letters. The id is the header
// outbox_event_id, or else CloudEvents' id, or else webhook-id; without any,
// EventID is empty, which the inbox refuses.
//
// It verifies nothing: call [Verify] first. A body of more than [MaxBody] is an
// error. The body can be read again afterwards.
func Message(r *http.Request) (outbox.Received, error) {
	body, err := read(r)
	if err != nil {
		return outbox.Received{}, err
	}
	m := outbox.Received{Payload: body, Headers: make(map[string]string, len(r.Header))}
	attributes := map[string]string{}
	for name, values := range r.Header {
		name, value := strings.ToLower(name), strings.Join(values, ", ")
		m.Headers[name] = value
		if attribute, ok := strings.CutPrefix(name, "ce-"); ok {
			attributes[attribute] = unescape(value)
		}
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/cloudevents+json" {
		var e envelope
		if err := json.Unmarshal(body, &e); err != nil {
			return outbox.Received{}, fmt.Errorf("httpsink: the body is not a CloudEvent: %w", err)
		}
		attributes["id"], attributes["type"] = e.ID, e.Type
		m.Payload = e.Data
		if e.Data == nil {
			m.Payload = e.Base64
		}
	}
	m.EventID = first(m.Headers[outbox.HeaderEventID], attributes["id"], m.Headers[standardwebhooks.HeaderWebhookID])
	m.EventType = first(m.Headers[outbox.HeaderEventType], attributes["type"])
	return m, nil
}

type envelope struct {
	ID     string          `json:"id"`
	Type   string          `json:"type"`
	Data   json.RawMessage `json:"data"`
	Base64 []byte          `json:"data_base64"`
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// Verify checks the Standard Webhooks signature of a request: that it was made
// with this secret, for this very body, and no more than five minutes ago by the
// clock of this process. The body can be read again afterwards.
func Verify(secret string, r *http.Request) error {
	body, err := read(r)
	if err != nil {
		return err
	}
	w, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return errors.New("httpsink: the secret is not base64, with or without whsec_ before it")
	}
	if err := w.Verify(body, r.Header); err != nil {
		return fmt.Errorf("httpsink: %w", err)
	}
	return nil
}

// read reads the body and puts back one that can be read again.
func read(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return []byte{}, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("httpsink: body of the request: %w", err)
	}
	if len(body) > MaxBody {
		return nil, fmt.Errorf("httpsink: the body has more than %d bytes: answer 413", MaxBody)
	}
	_ = r.Body.Close()
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}
