package httpsink

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// headerSignature covers what Standard Webhooks does not: the mode, which is in
// the Content-Type, and in binary mode the event type, which is in the headers.
const headerSignature = "outbox-signature"

// signer is one secret.
type signer struct {
	request *standardwebhooks.Webhook
	// kind has its own key, derived from the secret: its signature must never pass
	// for that of a body.
	kind *standardwebhooks.Webhook
}

var errSecret = errors.New("the secret is not base64, with or without whsec_ before it")

func keyOf(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return nil, errSecret
	}
	return key, nil
}

func newSigner(key []byte) (signer, error) {
	of := hmac.New(sha256.New, key)
	of.Write([]byte(headerSignature))
	request, err := standardwebhooks.NewWebhookRaw(key)
	kind, err2 := standardwebhooks.NewWebhookRaw(of.Sum(nil))
	return signer{request, kind}, errors.Join(err, err2)
}

// kindAndType returns what [headerSignature] covers.
func kindAndType(h http.Header) []byte {
	if isStructured(h) {
		return []byte("structured")
	}
	return []byte("binary." + typeOf(h))
}

// Standard Webhooks signs "id.timestamp.body". If an id contained a dot, its
// end could be read as the timestamp, and the timestamp as part of the body.
var webhookID = strings.NewReplacer("%", "%25", ".", "%2E").Replace

// sign adds the headers of Standard Webhooks and [headerSignature], with a
// signature for each secret.
func (s *Sink) sign(header http.Header, eventID string, body []byte) error {
	if len(s.signers) == 0 {
		return nil
	}
	id, now := webhookID(eventID), time.Now()
	var bodies, kinds []string
	for _, signer := range s.signers {
		one, err := signer.request.Sign(id, now, body)
		if err != nil {
			return err
		}
		other, err := signer.kind.Sign(id, now, kindAndType(header))
		if err != nil {
			return err
		}
		bodies, kinds = append(bodies, one), append(kinds, other)
	}
	header.Set(standardwebhooks.HeaderWebhookID, id)
	header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	header.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(bodies, " "))
	header.Set(headerSignature, strings.Join(kinds, " "))
	return nil
}

// Verify checks that the sink of this package sent a request with this secret,
// exactly this body, webhook-id, mode and event type, at most five minutes ago
// by the clock of this process. It covers no other header. It refuses a request
// that another program signed: verify that with a library for Standard
// Webhooks. The body can be read again afterwards.
func Verify(secret string, r *http.Request) error {
	body, err := read(r)
	if err != nil {
		return err
	}
	key, err := keyOf(secret)
	if err != nil {
		return fmt.Errorf("httpsink: %w", err)
	}
	signer, err := newSigner(key)
	if err != nil {
		return fmt.Errorf("httpsink: %w", err)
	}
	if err := signer.request.Verify(body, r.Header); err != nil {
		return fmt.Errorf("httpsink: %w", err)
	}
	header := http.Header{}
	for _, name := range []string{standardwebhooks.HeaderWebhookID, standardwebhooks.HeaderWebhookTimestamp} {
		header.Set(name, r.Header.Get(name))
	}
	ours := r.Header.Get(headerSignature)
	if ours == "" {
		return fmt.Errorf("httpsink: the header %s is missing: a proxy dropped it, or another program sent the request", headerSignature)
	}
	header.Set(standardwebhooks.HeaderWebhookSignature, ours)
	if err := signer.kind.Verify(kindAndType(r.Header), header); err != nil {
		return fmt.Errorf("httpsink: the Content-Type or the event type was changed in transit: %w", err)
	}
	return nil
}
