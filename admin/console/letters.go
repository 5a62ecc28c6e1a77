package console

import (
	"errors"
	"html/template"
	"maps"
	"net/http"
	"slices"

	"github.com/sendoff-go/outbox/admin"
)

// lettersPage is how many letters a page has.
const lettersPage = 50

// lettersView is a page of letters.
type lettersView struct {
	admin.LetterPage
	Filter              letterFilter
	Cursor              string
	Types, Destinations []string // to choose from
}

// read asks for the page after a cursor.
func (d *lettersView) read(k *caller, f letterFilter, cursor string) error {
	d.Filter, d.Cursor = f, cursor
	q := f.values()
	q.Set("limit", itoa(lettersPage))
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	return k.get("/api/v1/dead-letters", q, &d.LetterPage)
}

// Short reports whether the page has fewer letters than it could, and yet a next.
func (d *lettersView) Short() bool { return d.Next != "" && len(d.Letters) < lettersPage }

// Act is the query of an action on everything that matches.
func (d *lettersView) Act(action, to string) template.URL {
	q := d.Filter.values()
	if !d.Filter.Narrows() {
		q.Set("all", "1")
	}
	q.Set("action", action)
	q.Set("to", to)
	return encoded(q)
}

// letters is the list of dead letters, by a filter.
func (c *Console) letters(k *caller, r *http.Request) (*view, error) {
	var d lettersView
	v := &view{Screen: "letters", Nav: "letters", Title: "Dead letters"}
	d.Types, d.Destinations = c.choices()
	f, err := letterFilterOf(r.URL.Query())
	if err == nil {
		err = d.read(k, f, r.URL.Query().Get("cursor"))
	}
	d.Filter = f
	var no *refusal
	if errors.As(err, &no) && no.status < http.StatusInternalServerError { // the filter is wrong: it can be corrected
		v.Problem, v.Status, err = no.detail, no.status, nil
	}
	// A search in payloads reads too much to do it again and again.
	v.NotLive = f.Payload != ""
	v.Data = &d
	return v, err
}

// choices are the event types and the destinations that are known, to complete
// what somebody types.
func (c *Console) choices() (types, destinations []string) {
	s, _, _ := c.recorder.state()
	all := map[string]bool{}
	for _, l := range s.Types {
		all[l.Type] = true
	}
	for _, in := range s.Relays {
		for _, t := range in.Types {
			all[t] = true
		}
	}
	for _, d := range s.Destinations {
		destinations = append(destinations, d.Name)
	}
	const most = 500
	types = slices.Sorted(maps.Keys(all))
	return types[:min(len(types), most)], destinations[:min(len(destinations), most)]
}
