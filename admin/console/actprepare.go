package console

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// shownLetters is how many letters are looked at to say what an action means.
const shownLetters = 50

// prepare finds out what an action would change.
func (d *actView) prepare(k *caller) error {
	if len(d.IDs) > 0 {
		return d.selected(k)
	}
	if d.Until.IsZero() {
		var latest admin.LetterPage
		if err := k.get("/api/v1/dead-letters", values("limit", "1"), &latest); err != nil {
			return err
		}
		if len(latest.Letters) > 0 { // by the clock of the database
			d.Until = latest.Letters[0].DiedAt.Add(time.Microsecond)
		}
	}
	var started admin.StartedJob
	var page admin.LetterPage
	err := together(
		func() (err error) {
			started, err = d.start(k, true)
			return err
		},
		func() error {
			if d.Filter.Group == "" {
				return nil
			}
			d.Group = new(admin.Group)
			return k.get("/api/v1/dead-letter-groups/"+pathSegment(d.Filter.Group), nil, d.Group)
		},
		func() error {
			q := d.bounded().values()
			q.Set("limit", itoa(shownLetters))
			return k.get("/api/v1/dead-letters", q, &page)
		})
	if err != nil {
		return err
	}
	d.Matches = started.Matches
	d.look(page.Letters)
	return nil
}

// selected reads the letters of the ids. Those that are gone are not counted.
func (d *actView) selected(k *caller) error {
	var found []admin.Letter
	for i, id := range d.IDs {
		if i == shownLetters { // the others are taken on trust
			d.Matches.N = int64(len(d.IDs) - i)
			break
		}
		var l admin.Letter
		err := k.get("/api/v1/dead-letters/"+pathSegment(id), nil, &l)
		var no *refusal
		switch {
		case errors.As(err, &no) && no.status == http.StatusNotFound:
			continue
		case err != nil:
			return err
		}
		l.Payload, l.PayloadBytes = "", nil
		found = append(found, l)
	}
	d.Matches.N += int64(len(found))
	d.look(found)
	return nil
}

func (d *actView) look(all []admin.Letter) {
	d.Letters = all
	for _, l := range all {
		if l.Delivered == "maybe" {
			d.Maybe++
		}
	}
}

// None reports whether there is nothing to do. A count that has ended early and found
// nothing says nothing about the rest.
func (d *actView) None() bool { return d.Matches.N == 0 && !d.Matches.More }

// Examples are the first of the letters.
func (d *actView) Examples() []admin.Letter { return d.Letters[:min(len(d.Letters), 5)] }

// MoreThanShown is how many others there are; 0 if that is not known.
func (d *actView) MoreThanShown() int64 {
	if d.Matches.More {
		return 0
	}
	return max(d.Matches.N-int64(len(d.Examples())), 0)
}

// Fields are the hidden fields of the form: exactly what was counted.
func (d *actView) Fields() url.Values {
	q := d.Filter.values()
	if len(d.IDs) > 0 {
		q = url.Values{"id": d.IDs}
	}
	if d.All {
		q.Set("all", "1")
	}
	if !d.Until.IsZero() {
		q.Set("until", d.Until.Format(time.RFC3339Nano))
	}
	q.Set("action", d.Action)
	q.Set("to", d.To)
	return q
}

// List is the query of the list of the same letters.
func (d *actView) List() template.URL { return encoded(d.Filter.values()) }
