package console

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// maxEdited is how large a payload may be to be edited in a form: the API takes a
// body of 256 KiB, in which it is quoted.
const maxEdited = 128 << 10

// How a payload is written in a form.
const (
	asJSON   = "json"
	asText   = "text"
	asBase64 = "base64"
	asNone   = "" // too large: only the headers can be edited
)

// editView is the form that edits a letter, and what it changes.
type editView struct {
	admin.Letter
	As            string
	Text, Headers string // as somebody typed them
	Note          string
	Review        bool // the changes are shown, and not the fields
	PayloadDiff   []diffLine
	HeaderDiff    []diffLine
	lang          string
}

// editPage is the form, with the letter as it died.
func (c *Console) editPage(k *caller, r *http.Request) (*view, error) {
	d, err := editOf(k, r)
	if err != nil {
		return nil, err
	}
	d.Headers, d.Text = headerLines(d.Letter.Headers), d.original()
	return d.view(), nil
}

// edit shows what changes, or puts the letter back with it. What somebody typed is
// kept if something is wrong.
func (c *Console) edit(k *caller, r *http.Request) (*view, error) {
	err := r.ParseForm() // whose error ParseMultipartForm would hide
	if err == nil {
		err = r.ParseMultipartForm(maxForm)
	}
	if err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return nil, &refusal{http.StatusRequestEntityTooLarge, "This form is too large, or not a form."}
	}
	d, err := editOf(k, r)
	if err != nil {
		return nil, err
	}
	d.Text, d.Headers, d.Note = lines(r.PostFormValue("payload")), lines(r.PostFormValue("headers")), strings.TrimSpace(lines(r.PostFormValue("note")))
	step := r.PostFormValue("step")
	if step == "again" {
		return d.view(), nil
	}
	body, err := d.changes()
	same := r.PostFormValue("died") == d.Died()
	switch {
	case err != nil:
	case !same: // it was retried, and died again
		d.Review = true
		err = &refusal{http.StatusConflict, "It has died again meanwhile: see whether these are still the changes that you want."}
	case step != "apply":
		d.Review = true
		return d.view(), nil
	default:
		var out struct{ ID string }
		if err = k.call(http.MethodPost, letterPath(r)+"/edit", body, &out); err == nil {
			return &view{To: done(one("dead-letters/one", d.ID), "edit", -1)}, nil
		}
	}
	var no *refusal
	if !errors.As(err, &no) {
		return nil, err
	}
	v := d.view()
	v.Problem, v.Status = no.detail, no.status
	return v, nil
}

func (d *editView) view() *view {
	return &view{Screen: "edit", Nav: "letters", Title: "Edit and retry", Data: d, NotLive: true}
}

// editOf reads the letter. Only people who may see all of it may edit it.
func editOf(k *caller, r *http.Request) (*editView, error) {
	if err := atLeast(k, admin.Admin); err != nil {
		return nil, err
	}
	d := &editView{lang: languageOf(r)}
	if err := k.get(letterPath(r), nil, &d.Letter); err != nil {
		return nil, err
	}
	if d.ResolvedAt != nil {
		return nil, &refusal{http.StatusConflict, "This letter is resolved, and keeps what the event died with: retry it as it is, or edit an open one."}
	}
	switch text := string(d.bytes()); {
	case len(text) > maxEdited:
		d.As = asNone
	case d.PayloadBytes == nil:
		d.As = asJSON
	case readable(text) && !strings.Contains(text, "\r"): // which forms do not keep
		d.As = asText
	default:
		d.As = asBase64
	}
	return d, nil
}

// Died says which letter of the id it is.
func (d *editView) Died() string { return d.DiedAt.UTC().Format(time.RFC3339Nano) }

// Rows is how many rows the field of the payload has.
func (d *editView) Rows() int { return min(max(strings.Count(d.Text, "\n")+2, 8), 30) }

// HeaderRows is how many rows the field of the headers has.
func (d *editView) HeaderRows() int { return min(max(strings.Count(d.Headers, "\n")+2, 4), 12) }

func (d *editView) bytes() []byte {
	if d.PayloadBytes != nil {
		return *d.PayloadBytes
	}
	return []byte(d.Payload)
}

// original is the payload as the form has it.
func (d *editView) original() string {
	switch d.As {
	case asJSON:
		return indented(d.Payload)
	case asText:
		return string(d.bytes())
	case asBase64:
		return wrapped(base64.StdEncoding.EncodeToString(d.bytes()))
	}
	return ""
}

// changes fills in the differences, and returns the request for what differs.
func (d *editView) changes() (map[string]any, error) {
	body := map[string]any{"note": d.Note}
	if err := d.payloadChanges(body); err != nil {
		return nil, err
	}
	headers, err := parseHeaderLines(d.lang, d.Headers)
	if err != nil {
		return nil, err
	}
	if !maps.Equal(headers, d.Letter.Headers) {
		body["headers"] = headers
		d.HeaderDiff = diff(headerLines(d.Letter.Headers), headerLines(headers))
	}
	if len(body) == 1 {
		return nil, &refusal{http.StatusUnprocessableEntity, "You have changed nothing: change something, or retry the letter as it is."}
	}
	return body, nil
}

func (d *editView) payloadChanges(body map[string]any) error {
	switch d.As {
	case asJSON:
		text := strings.TrimSpace(d.Text)
		if err := checkJSON(d.lang, text); err != nil {
			return err
		}
		if d.PayloadDiff = diff(indented(d.Payload), indented(text)); d.PayloadDiff == nil {
			return nil // white space alone
		}
		if compact(d.Payload) == d.Payload { // as its program writes it
			text = compact(text)
		}
		body["payload"] = text
	case asText:
		if d.PayloadDiff = diff(string(d.bytes()), d.Text); d.PayloadDiff != nil {
			body["payload_bytes"] = []byte(d.Text)
		}
	case asBase64:
		raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(d.Text), ""))
		if err != nil {
			return &refusal{http.StatusUnprocessableEntity, "The payload is not base64: correct it."}
		}
		if !bytes.Equal(raw, d.bytes()) {
			body["payload_bytes"] = raw
			d.PayloadDiff = diff(strings.TrimSuffix(hex.Dump(d.bytes()), "\n"), strings.TrimSuffix(hex.Dump(raw), "\n"))
		}
	}
	return nil
}

// indented is a JSON text with one field a line; what is no JSON stays as it is.
func indented(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return strings.TrimSpace(out.String())
}

func compact(text string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(text)) != nil {
		return text
	}
	return out.String()
}
