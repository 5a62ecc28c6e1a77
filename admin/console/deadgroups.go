package console

import (
	"net/http"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// groupsPage is how many groups a page has.
const groupsPage = 50

// groupsView is the dead letters by reason.
type groupsView struct {
	admin.GroupPage
	Filter                      listFilter
	Types, Destinations, States []string // to choose from
	First                       bool     // of the pages
	Short                       bool     // it has looked at as many groups as it may, and there are more
	Loose                       bool     // letters are there, and in no group yet
	NoRelays                    bool
}

// More reports whether the filter has a condition that few need.
func (d *groupsView) More() bool {
	return d.Filter.Get("by") != "" || d.Filter.Get("last_after") != "" || d.Filter.Get("last_before") != ""
}

// deadGroups is the page of dead letters, groups first.
func (c *Console) deadGroups(k *caller, r *http.Request) (*view, error) {
	q := r.URL.Query()
	d := &groupsView{First: q.Get("cursor") == "", States: admin.GroupStates(),
		Filter: listFilterOf(q, []string{"type", "destination", "reason", "state", "by"}, []string{"last_after", "last_before"})}
	d.Types, d.Destinations = c.choices()
	v := &view{Screen: "deadgroups", Nav: "letters", Title: "Dead letters", Data: d}
	query, err := d.Filter.api("cursor", q.Get("cursor"), "limit", itoa(groupsPage))
	if err == nil {
		err = k.get("/api/v1/dead-letter-groups", query, &d.GroupPage)
	}
	if err != nil {
		return v, v.correctable(err)
	}
	d.Short = d.Next != "" && len(d.Groups) < groupsPage
	if d.First && len(d.Groups) == 0 && d.Next == "" && !d.Filter.Any() {
		var some admin.LetterPage
		if err := k.get("/api/v1/dead-letters", values("limit", "1"), &some); err != nil {
			return nil, err
		}
		d.Loose = len(some.Letters) > 0
	}
	m := c.menu(nil)
	d.NoRelays = m.Known && m.Relays == 0
	return v, nil
}

// groupView is one group and its letters.
type groupView struct {
	admin.Group
	Page *lettersView
	Mark markView
}

// deadGroup is the page of a group.
func (c *Console) deadGroup(k *caller, r *http.Request) (*view, error) {
	d := groupView{Page: &lettersView{}}
	if err := k.get(groupPath(r), nil, &d.Group); err != nil {
		return nil, err
	}
	f := letterFilter{Group: d.ID}
	if err := d.Page.read(k, f, r.URL.Query().Get("cursor")); err != nil {
		return nil, err
	}
	d.Mark = markView{Group: d.Group, To: one("dead-letters/group", d.ID)}
	return &view{Screen: "deadgroup", Nav: "letters", Title: "Group of dead letters", Data: &d}, nil
}

// markView is the form that says who looks after a group.
type markView struct {
	admin.Group
	To string
}

// Mutes are for how long a group may be muted.
func (markView) Mutes() []string { return []string{"1h", "8h", "24h", "72h", "168h"} }

// markPage is that form alone.
func (c *Console) markPage(k *caller, r *http.Request) (*view, error) {
	var d markView
	if err := operators(k); err != nil {
		return nil, err
	}
	if err := k.get(groupPath(r), nil, &d.Group); err != nil {
		return nil, err
	}
	d.To = back(r.URL.Query().Get("to"), "dead-letters")
	return &view{Screen: "mark", Nav: "letters", Title: "Who looks after these letters?", Data: d, NotLive: true}, nil
}

// mark sets the state of a group.
func (c *Console) mark(k *caller, r *http.Request) (string, error) {
	state := driver.GroupState(r.PostFormValue("state"))
	body := map[string]any{"state": state}
	if note := strings.TrimSpace(lines(r.PostFormValue("note"))); note != "" {
		body["note"] = note
	}
	if state == driver.GroupMuted {
		until, err := parseTime(r.PostFormValue("until"))
		if err != nil {
			return "", err
		}
		if d, err := time.ParseDuration(r.PostFormValue("for")); until.IsZero() && err == nil && d > 0 {
			until = time.Now().Add(d)
		}
		if until.Before(time.Now()) {
			return "", &refusal{http.StatusUnprocessableEntity, "Say until when the group is muted: a time to come."}
		}
		body["muted_until"] = until.UTC()
	}
	var g admin.Group
	if err := k.call(http.MethodPut, groupPath(r)+"/state", body, &g); err != nil {
		return "", err
	}
	return done(back(r.PostFormValue("to"), "dead-letters"), "mark", -1), nil
}

func groupPath(r *http.Request) string {
	return "/api/v1/dead-letter-groups/" + pathSegment(idOf(r))
}

// operators refuses a form to those whose request would be refused.
func operators(k *caller) error { return atLeast(k, admin.Operator) }

func atLeast(k *caller, role admin.Role) error {
	if k.person.Role.AtLeast(role) {
		return nil
	}
	return &refusal{http.StatusForbidden, "Your role may not do this."}
}

// lines is a text of a form, where browsers end lines in their own way.
func lines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
