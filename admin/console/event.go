package console

import (
	"errors"
	"net/http"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// eventView is one event.
type eventView struct {
	admin.Event
	Content payload
	Died    bool // it is a dead letter now
	Gone    bool // it was here
	Due     bool // it waits, and could be delivered
	Owner   string
}

// event is the page of one event.
func (c *Console) event(k *caller, r *http.Request) (*view, error) {
	id := idOf(r)
	d := eventView{Event: admin.Event{ID: id}}
	v := &view{Screen: "event", Nav: "events", Title: "Event", Data: &d}
	found, err := k.find("/api/v1/events/"+pathSegment(id), &d.Event)
	if err != nil {
		return nil, err
	}
	if !found {
		return k.elsewhere(id, v, &d, r.URL.Query().Has("live"))
	}
	d.Content = payloadOf(r, d.Payload, d.PayloadBytes, d.Headers)
	d.Due, d.Owner = !d.AvailableAt.After(time.Now()), name(d.LockedBy)
	return v, nil
}

// elsewhere is what is known of an event that is not in the outbox. People who look
// at its page while it leaves are told so there.
func (k *caller) elsewhere(id string, v *view, d *eventView, watched bool) (*view, error) {
	died, err := k.find("/api/v1/dead-letters/"+pathSegment(id), new(admin.Letter))
	switch d.Died, d.Gone = died, !died; {
	case err != nil:
		return nil, err
	case watched:
	case died:
		v.To = one("dead-letters/one", id)
	default:
		v.Screen, v.Status, v.NotLive, v.Title = "missing", http.StatusNotFound, true, "No such event"
	}
	return v, nil
}

// find asks for something that may not be there.
func (k *caller) find(path string, out any) (found bool, err error) {
	err = k.get(path, nil, out)
	var no *refusal
	if errors.As(err, &no) && no.status == http.StatusNotFound {
		return false, nil
	}
	return err == nil, err
}
