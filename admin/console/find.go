package console

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/admin"
)

// findView is what a text was found in.
type findView struct {
	Text       string
	Events     admin.EventPage  // by key
	Traced     admin.EventPage  // by trace, if it can be the id of one
	Letters    admin.LetterPage // by key
	Errors     admin.LetterPage // by a part of the error
	Groups     []admin.Group    // by a part of the type or the reason
	MoreGroups bool             // than were looked at, or are shown
}

const (
	foundRows  = 10
	foundWhere = "200" // groups that are looked at
)

// find goes to what has the id or the name that was entered, or shows where the
// text was found.
func (c *Console) find(k *caller, r *http.Request) (*view, error) {
	d := findView{Text: strings.TrimSpace(r.URL.Query().Get("q"))}
	v := &view{Screen: "find", Nav: "none", Title: "Find", Search: d.Text, NotLive: true, Data: &d}
	if d.Text == "" {
		return v, nil
	}
	var err error
	if v.To, err = c.exactly(k, d.Text); err != nil || v.To != "" {
		return v, err
	}
	limit := itoa(foundRows)
	searches := []search{{"events", "key", &d.Events}, {"dead-letters", "key", &d.Letters}, {"dead-letters", "error", &d.Errors}}
	if d.MayBeTrace() { // it reads more than the others
		searches = append(searches, search{"events", "trace", &d.Traced})
	}
	for _, search := range searches {
		err := k.get("/api/v1/"+search.path, values(search.by, d.Text, "limit", limit), search.out)
		var no *refusal
		if errors.As(err, &no) && no.status == http.StatusUnprocessableEntity {
			continue // nothing can match, such as a key that is too long
		}
		if err != nil {
			return nil, err
		}
	}
	var groups admin.GroupPage
	if err := k.get("/api/v1/dead-letter-groups", values("limit", foundWhere), &groups); err != nil {
		return nil, err
	}
	text := strings.ToLower(d.Text)
	for _, g := range groups.Groups {
		if strings.Contains(strings.ToLower(g.Type), text) || strings.Contains(strings.ToLower(g.Reason), text) {
			d.Groups = append(d.Groups, g)
		}
	}
	d.MoreGroups = groups.Next != "" || len(d.Groups) > foundRows
	d.Groups = d.Groups[:min(len(d.Groups), foundRows)]
	return v, nil
}

// exactly is the page of what has the text as its id or its name; "" if nothing
// has.
func (c *Console) exactly(k *caller, text string) (string, error) {
	found, err := k.find("/api/v1/events/"+pathSegment(text), new(admin.Event))
	if err != nil || found {
		return one("events/one", text), err
	}
	if found, err = k.find("/api/v1/dead-letters/"+pathSegment(text), new(admin.Letter)); err != nil || found {
		return one("dead-letters/one", text), err
	}
	state, err := c.known(k)
	if err == nil && slices.Contains(typesOf(state), text) {
		return "events?" + values("type", text).Encode(), nil
	}
	return "", err
}

// search is one of the lists that are looked through, and by what.
type search struct {
	path, by string
	out      any
}

// MayBeTrace reports whether the text can be the id of a trace: 16 digits of hex at
// least, with or without hyphens.
func (d *findView) MayBeTrace() bool {
	return len(d.Text) >= 16 && strings.Trim(strings.ToLower(d.Text), "0123456789abcdef-") == ""
}

// Empty reports whether nothing was found.
func (d *findView) Empty() bool {
	return len(d.Events.Events)+len(d.Traced.Events)+len(d.Letters.Letters)+len(d.Errors.Letters)+len(d.Groups) == 0
}
