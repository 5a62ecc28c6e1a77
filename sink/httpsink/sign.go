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

	"github.com/sendoff-go/outbox"
)

// headerTypeSignature covers the event type of a request in binary mode, which
// has it in headers: Standard Webhooks signs no header but webhook-id.
const headerTypeSignature = "outbox-type-signature"

// signer is one secret.
type signer struct {
	request *standardwebhooks.Webhook
	// eventType has a key of its own, made of the secret: a signature of a type
	// must never pass for one of a body.
	eventType *standardwebhooks.Webhook
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
	of.Write([]byte(headerTypeSignature))
	request, err := standardwebhooks.NewWebhookRaw(key)
	eventType, err2 := standardwebhooks.NewWebhookRaw(of.Sum(nil))
	return signer{request, eventType}, errors.Join(err, err2)
}

// sign adds the headers of Standard Webhooks, with a signature for each secret,
// and in binary mode the same of the event type.
func (s *Sink) sign(header http.Header, e outbox.Event, body []byte) error {
	if len(s.signers) == 0 {
		return nil
	}
	now := time.Now()
	var bodies, types []string
	for _, signer := range s.signers {
		one, err := signer.request.Sign(e.ID, now, body)
		if err != nil {
			return err
		}
		other, err := signer.eventType.Sign(e.ID, now, []byte(e.Type))
		if err != nil {
			return err
		}
		bodies, types = append(bodies, one), append(types, other)
	}
	header.Set(standardwebhooks.HeaderWebhookID, e.ID)
	header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	header.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(bodies, " "))
	if s.cfg.Mode == Binary {
		header.Set(headerTypeSignature, strings.Join(types, " "))
	}
	return nil
}

// Verify checks the Standard Webhooks signature of a request: that it was made
// with this secret, for this very body and webhook-id, and no more than five
// minutes ago by the clock of this process. Where there is a signature of the
// event type it checks that, too, which no other library does; it covers no
// other header. The body can be read again afterwards.
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
	ofType := r.Header.Get(headerTypeSignature)
	if ofType == "" {
		return nil
	}
	header := http.Header{}
	for _, name := range []string{standardwebhooks.HeaderWebhookID, standardwebhooks.HeaderWebhookTimestamp} {
		header.Set(name, r.Header.Get(name))
	}
	header.Set(standardwebhooks.HeaderWebhookSignature, ofType)
	if err := signer.eventType.Verify([]byte(typeOf(r.Header)), header); err != nil {
		return fmt.Errorf("httpsink: the event type was changed on the way: %w", err)
	}
	return nil
}
