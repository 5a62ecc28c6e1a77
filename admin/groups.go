package admin

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
)

// Group is dead letters that failed for one reason, on the wire.
type Group struct {
	ID          string            `json:"id"`
	Type        string            `json:"type" doc:"The event type."`
	Destination string            `json:"destination,omitempty"`
	Reason      string            `json:"reason" doc:"What their errors have in common: # stands for words with digits, … for what was quoted."`
	Open        Count             `json:"open" doc:"Open letters, counted up to 1000."`
	FirstAt     time.Time         `json:"first_at"`
	LastAt      time.Time         `json:"last_at"`
	State       driver.GroupState `json:"state" enum:"new,investigating,muted"`
	By          string            `json:"by,omitempty" doc:"Who set the state."`
	Note        string            `json:"note,omitempty"`
	MarkedAt    *time.Time        `json:"marked_at,omitempty"`
	MutedUntil  *time.Time        `json:"muted_until,omitempty"`
}

// GroupOf returns a group as it goes over the wire.
func GroupOf(g *driver.DeadGroup) Group {
	return Group{ID: g.ID, Type: g.Lane, Destination: g.Destination, Reason: g.Reason, Open: Count(g.Open),
		FirstAt: encodable(g.FirstAt), LastAt: encodable(g.LastAt), State: g.State, By: g.By, Note: g.Note,
		MarkedAt: optional(g.At), MutedUntil: optional(g.MutedUntil)}
}

// groups registers what concerns groups of dead letters.
func (a *api) groups(h huma.API) {
	const path = "/api/v1/dead-letter-groups"
	operation(a, h, Viewer, http.MethodGet, path, "list-groups", "List groups with open dead letters, latest letter first", a.listGroups)
	operation(a, h, Viewer, http.MethodGet, path+"/{id}", "get-group", "Show one group of dead letters", a.getGroup)
	operation(a, h, Operator, http.MethodPut, path+"/{id}/state", "mark-group", "Say that somebody is looking into a group, or mute it", a.markGroup)
}

type groupsInput struct {
	Type        string            `query:"type" maxLength:"128" doc:"The event type."`
	Destination string            `query:"destination" maxLength:"255"`
	Reason      string            `query:"reason" maxLength:"4000" doc:"Contained in the reason."`
	State       driver.GroupState `query:"state" enum:"new,investigating,muted"`
	By          string            `query:"by" maxLength:"255" doc:"Who set the state."`
	LastAfter   time.Time         `query:"last_after" doc:"The latest letter came after this."`
	LastBefore  time.Time         `query:"last_before" doc:"The latest letter came before this."`
	Cursor      string            `query:"cursor" maxLength:"200" doc:"The next of the previous page."`
	Limit       int               `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// GroupPage is a page of groups.
type GroupPage struct {
	Groups []Group `json:"groups"`
	Next   string  `json:"next,omitempty" doc:"The cursor of the next page. Absent on the last. A page looks at 2,500 groups, and may be short or empty and still have a next one."`
}

// GroupStates are the states of groups, as a filter takes them.
func GroupStates() []string {
	return []string{string(driver.GroupNew), string(driver.GroupInvestigating), string(driver.GroupMuted)}
}

func (a *api) listGroups(ctx context.Context, in *groupsInput) (*body[GroupPage], error) {
	f := driver.GroupFilter{Lane: in.Type, Destination: in.Destination, Reason: in.Reason, State: in.State, By: in.By, LastAfter: in.LastAfter, LastBefore: in.LastBefore}
	if err := errors.Join(checkText("type", f.Lane), checkText("destination", f.Destination), checkText("reason", f.Reason), checkText("by", f.By)); err != nil {
		return nil, err
	}
	if err := checkTimes("last_after", f.LastAfter, "last_before", f.LastBefore); err != nil {
		return nil, err
	}
	at, err := parseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	var after *driver.GroupCursor
	if at != nil {
		after = &driver.GroupCursor{LastAt: at.at, ID: at.id}
	}
	gs, next, err := a.Store.ListGroups(ctx, f, after, in.Limit)
	if err != nil {
		return nil, err
	}
	page := GroupPage{Groups: []Group{}}
	if next != nil {
		page.Next = cursor{next.LastAt, next.ID}.String()
	}
	for i := range gs {
		page.Groups = append(page.Groups, GroupOf(&gs[i]))
	}
	return &body[GroupPage]{page}, nil
}

var errNoGroup = huma.Error404NotFound("no group has this id: it was deleted after its letters, or never existed")

func (a *api) getGroup(ctx context.Context, in *idInput) (*body[Group], error) {
	if !isID(in.ID) {
		return nil, errNoGroup
	}
	g, found, err := a.Store.GetGroup(ctx, in.ID)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, errNoGroup
	}
	return &body[Group]{GroupOf(&g)}, nil
}

type markInput struct {
	ID   string `path:"id"`
	Body struct {
		State      driver.GroupState `json:"state" enum:"new,investigating,muted"`
		MutedUntil *time.Time        `json:"muted_until,omitempty" doc:"Only with muted: when it is new again."`
		Note       string            `json:"note,omitempty" maxLength:"4000"`
	}
}

func (a *api) markGroup(ctx context.Context, in *markInput) (*body[Group], error) {
	m := driver.GroupMark{State: in.Body.State, By: personOf(ctx).Name, Note: in.Body.Note}
	if err := checkText("note", m.Note); err != nil {
		return nil, err
	}
	if in.Body.MutedUntil != nil {
		m.MutedUntil = *in.Body.MutedUntil
	}
	if err := checkMark(m); err != nil {
		return nil, err
	}
	if !isID(in.ID) {
		return nil, errNoGroup
	}
	found, err := a.Store.MarkGroup(ctx, in.ID, m)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, errNoGroup
	}
	return a.getGroup(ctx, &idInput{in.ID})
}

// checkMark refuses a mute without end, and an end without a mute.
func checkMark(m driver.GroupMark) error {
	switch year := m.MutedUntil.UTC().Year(); {
	case (m.State == driver.GroupMuted) == m.MutedUntil.IsZero():
		return huma.Error422UnprocessableEntity("muted_until goes with the state muted, which needs it")
	case m.State == driver.GroupMuted && (year < 1970 || year > 9998):
		return huma.Error422UnprocessableEntity("muted_until is not between 1970 and 9998")
	}
	return nil
}
