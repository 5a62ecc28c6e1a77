package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

// maxPage is the largest page.
const maxPage = 200

// letters registers what concerns dead letters under /api/v1.
func (a *api) letters(h huma.API) {
	const path = "/api/v1/dead-letters"
	operation(a, h, Viewer, http.MethodGet, path, "list-dead-letters", "List dead letters, latest first", a.listLetters)
	operation(a, h, Viewer, http.MethodGet, path+"/{id}", "get-dead-letter", "Show one dead letter", a.getLetter)
	operation(a, h, Admin, http.MethodPost, path+"/{id}/edit", "edit-dead-letter", "Put one dead letter back into the outbox with another payload or other headers, and resolve it", a.editLetter)
	operation(a, h, Operator, http.MethodPost, path+"/note", "note-dead-letters", "Put a note on dead letters; it replaces an earlier one, and an empty one removes it", a.noteLetters)
	for _, c := range []struct {
		action  dlq.Action
		role    Role
		summary string
	}{
		{dlq.Retry, Operator, "Put dead letters back into the outbox, with the same id and no attempts"},
		{dlq.Resolve, Operator, "Mark dead letters as resolved, which hides them"},
		{dlq.Delete, Admin, "Delete dead letters for good"},
	} {
		operation(a, h, c.role, http.MethodPost, path+"/"+string(c.action), string(c.action)+"-dead-letters", c.summary,
			func(ctx context.Context, in *actInput) (*actOutput, error) { return a.act(ctx, c.action, in) })
	}
}

type listInput struct {
	Type        string    `query:"type" maxLength:"128" doc:"The event type."`
	Error       string    `query:"error" maxLength:"4000" doc:"Contained in the error."`
	Group       string    `query:"group" maxLength:"36" doc:"The id of their group."`
	Destination string    `query:"destination" maxLength:"255"`
	Payload     string    `query:"payload" maxLength:"1000" doc:"A field of the payload and its value, such as $.customer.id=4711. 2,500 letters or 16 MiB are read for a page."`
	Tenant      string    `query:"tenant" maxLength:"64" doc:"The tenant's id."`
	Key         string    `query:"key" maxLength:"128" doc:"The aggregate's id."`
	DiedAfter   time.Time `query:"died_after"`
	DiedBefore  time.Time `query:"died_before"`
	Resolved    bool      `query:"resolved" doc:"The resolved ones in place of the open ones."`
	Count       bool      `query:"count" doc:"Also count all that match."`
	Cursor      string    `query:"cursor" maxLength:"200" doc:"The next of the previous page."`
	Limit       int       `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// LetterPage is a page of dead letters.
type LetterPage struct {
	Letters  []Letter   `json:"letters"`
	Matches  *Count     `json:"matches,omitempty" doc:"All that match, on this page or not. Absent unless asked for."`
	Next     string     `json:"next,omitempty" doc:"The cursor of the next page. Absent on the last. Where no index helps, a page looks at 2,500 letters, and may be short or empty and still have a next one."`
	LookedTo *time.Time `json:"looked_to,omitempty" doc:"When the last letter that the search looked at died: possibly earlier than the last letter on this page. Absent on the last page."`
}

func (a *api) listLetters(ctx context.Context, in *listInput) (*body[LetterPage], error) {
	f := driver.DeadFilter{Lane: in.Type, Error: in.Error, Group: in.Group, Destination: in.Destination, Tenant: in.Tenant, Key: in.Key, DiedAfter: in.DiedAfter, DiedBefore: in.DiedBefore, Resolved: in.Resolved}
	if err := checkFilter(f); err != nil {
		return nil, err
	}
	after, err := letterCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	match, err := a.matching(ctx, in.Payload)
	if err != nil {
		return nil, err
	}
	ls, next, err := dlq.Find(ctx, a.Store, f, match, after, in.Limit)
	if err != nil {
		return nil, err
	}
	page := LetterPage{Letters: []Letter{}, Next: cursorOf(next)}
	if next != nil {
		page.LookedTo = optional(next.DiedAt)
	}
	for i := range ls {
		page.Letters = append(page.Letters, LetterOf(&ls[i], Summary))
	}
	if in.Count {
		n, err := dlq.CountMatching(ctx, a.Store, f, match)
		if err != nil {
			return nil, err
		}
		page.Matches = (*Count)(&n)
	}
	return &body[LetterPage]{page}, nil
}

// matching reads a condition on payloads. Who may not see payloads may not search
// in them either.
func (a *api) matching(ctx context.Context, text string) (*dlq.PayloadMatch, error) {
	if text == "" {
		return nil, nil
	}
	if err := checkText("payload", text); err != nil {
		return nil, err
	}
	switch p := personOf(ctx); {
	case a.HidePayloads && !p.may(Operator), a.mask != nil && !p.may(Admin):
		return nil, huma.Error403Forbidden("payloads are hidden or masked for your role, which is " + string(p.Role) + ": leave payload out of the filter")
	}
	m, err := dlq.ParsePayloadMatch(text)
	if err != nil {
		return nil, huma.Error422UnprocessableEntity("payload: " + dlq.ErrPayloadMatch.Error())
	}
	return m, nil
}

type idInput struct {
	ID string `path:"id"`
}

func (a *api) getLetter(ctx context.Context, in *idInput) (*body[Letter], error) {
	l, err := a.letter(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	earlier, err := a.Store.EarlierDead(ctx, l.Event.ID, l.Seq, MaxEarlier)
	if err != nil {
		return nil, err
	}
	out := LetterOf(a.shown(ctx, &l), a.part(ctx))
	for i := range earlier {
		out.Earlier = append(out.Earlier, EarlierOf(a.shown(ctx, &earlier[i]), a.part(ctx)))
	}
	return &body[Letter]{out}, nil
}

// part is how much of a letter the person may see.
func (a *api) part(ctx context.Context) Part {
	if a.HidePayloads && !personOf(ctx).may(Operator) {
		return History
	}
	return Whole
}

var errNoLetter = huma.Error404NotFound("no dead letter has this id: it was retried or deleted, or never died")

func (a *api) letter(ctx context.Context, id string) (driver.DeadLetter, error) {
	if err := checkID(id); err != nil {
		return driver.DeadLetter{}, err
	}
	if !isID(id) {
		return driver.DeadLetter{}, errNoLetter
	}
	l, found, err := a.Store.GetDead(ctx, id)
	if err == nil && !found {
		err = errNoLetter
	}
	return l, err
}
