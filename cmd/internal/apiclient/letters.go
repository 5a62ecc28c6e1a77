package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

const lettersPath = "/api/v1/dead-letters"

func (c *Remote) letterPage(ctx context.Context, f driver.DeadFilter, payload, after string, n int, count bool) (p admin.LetterPage, err error) {
	err = c.get(ctx, lettersPath, values("type", f.Lane, "error", f.Error, "group", f.Group, "destination", f.Destination, "payload", payload,
		"tenant", f.Tenant, "key", f.Key, "died_after", moment(f.DiedAfter), "died_before", moment(f.DiedBefore),
		"resolved", truth(f.Resolved), "count", truth(count), "cursor", after, "limit", number(n)), &p)
	if err == nil && (p.Letters == nil || count && p.Matches == nil) {
		err = c.foreign("its answer has no dead letters")
	}
	return p, err
}

// Letters lists at most limit letters, latest first.
func (c *Remote) Letters(ctx context.Context, f driver.DeadFilter, payload string, limit int) ([]admin.Letter, error) {
	return pages(limit, func(after string, n int) ([]admin.Letter, string, error) {
		p, err := c.letterPage(ctx, f, payload, after, n, false)
		return p.Letters, p.Next, err
	})
}

// CountLetters counts the letters that the filter matches, up to a bound.
func (c *Remote) CountLetters(ctx context.Context, f driver.DeadFilter, payload string) (admin.Count, error) {
	p, err := c.letterPage(ctx, f, payload, "", 1, true)
	if err != nil {
		return admin.Count{}, err
	}
	return *p.Matches, nil
}

// Letter returns one letter with what the caller may see of it; found is false if
// there is none.
func (c *Remote) Letter(ctx context.Context, id string) (l admin.Letter, found bool, err error) {
	found, err = c.find(ctx, lettersPath, id, &l)
	return l, found, err
}

// Apply applies an action to the letters with these ids, in one transaction. The
// server knows who does it.
func (c *Remote) Apply(ctx context.Context, action dlq.Action, act driver.Act, ids []string) ([]admin.Result, error) {
	in := struct {
		IDs  []string `json:"ids"`
		Note string   `json:"note,omitempty"`
	}{ids, act.Note}
	var out admin.ActReport
	err := c.call(ctx, http.MethodPost, lettersPath+"/"+string(action), in, &out)
	return out.Results, err
}

// Edit is [dlq.Edit].
func (c *Remote) Edit(ctx context.Context, act driver.Act, id string, change func(*driver.DeadEdit) error) error {
	l, found, err := c.Letter(ctx, id)
	switch {
	case err != nil:
		return err
	case !found || l.ResolvedAt != nil:
		return dlq.ErrGone
	}
	died, e := contentOf(&l), contentOf(&l)
	if err := change(&e); err != nil {
		return err
	}
	if !utf8.Valid(e.JSON) { // the encoder would replace parts of it
		return fmt.Errorf("%w: the payload is not valid JSON: correct it, or give it as bytes", outbox.ErrInvalidEvent)
	}
	var in struct {
		Payload *string            `json:"payload,omitempty"`
		Bytes   *[]byte            `json:"payload_bytes,omitempty"`
		Headers *map[string]string `json:"headers,omitempty"`
		Note    string             `json:"note,omitempty"`
	}
	in.Note = act.Note
	// Unchanged parts are not sent: they may be masked here, or too large for a
	// request.
	switch {
	case e.JSON != nil && !bytes.Equal(e.JSON, died.JSON):
		text := string(e.JSON)
		in.Payload = &text
	case e.Bytes != nil && (died.Bytes == nil || !bytes.Equal(e.Bytes, died.Bytes)):
		in.Bytes = &e.Bytes
	}
	if !maps.Equal(e.Headers, died.Headers) {
		in.Headers = &e.Headers
	}
	if in.Payload == nil && in.Bytes == nil && in.Headers == nil { // the same, which is a change nevertheless
		in.Headers = &e.Headers
	}
	var out struct {
		ID string `json:"id"`
	}
	err = c.call(ctx, http.MethodPost, lettersPath+"/"+url.PathEscape(id)+"/edit", in, &out)
	switch {
	case isStatus(err, http.StatusNotFound):
		return dlq.ErrGone
	case isStatus(err, http.StatusConflict):
		return dlq.ErrConflict
	}
	return err
}

// contentOf returns what can be edited of a letter.
func contentOf(l *admin.Letter) driver.DeadEdit {
	e := driver.DeadEdit{Headers: map[string]string{}} // nil would be sent as null
	maps.Copy(e.Headers, l.Headers)
	if l.PayloadBytes != nil {
		e.Bytes = bytes.Clone(*l.PayloadBytes)
	} else {
		e.JSON = json.RawMessage(l.Payload)
	}
	return e
}
