package console

import (
	"net/http"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// eventsView is a page of events.
type eventsView struct {
	Filter   eventFilter
	Events   []admin.Event
	Next     string // the cursor of the next page
	First    bool
	Short    bool // it has looked at as many events as it may, and there are more
	Types    []string
	Tabs     []statusTab
	Withins  any
	Searches bool // in payloads
	Live     bool
}

// statusTab chooses the events of a status.
type statusTab struct {
	Status, Text string
	Count        *admin.Count // nil: not known
}

// eventsPerPage is how many events a page shows.
const eventsPerPage = 50

func (c *Console) events(k *caller, r *http.Request) (*view, error) {
	q := r.URL.Query()
	d := eventsView{Filter: eventFilterOf(q), First: q.Get("cursor") == "", Withins: withins, Searches: c.maySearch(k.person)}
	v := &view{Screen: "events", Title: "Events", Data: &d}
	state, err := c.known(k)
	if err != nil {
		return nil, err
	}
	d.Types, d.Tabs = typesOf(state), d.Filter.tabs(state)
	query, err := d.Filter.query(time.Now())
	if err == nil {
		query.Set("limit", itoa(eventsPerPage))
		if !d.First {
			query.Set("cursor", q.Get("cursor"))
		}
		var page admin.EventPage
		err = k.get("/api/v1/events", query, &page)
		d.Events, d.Next = page.Events, page.Next
	}
	d.Short = d.Next != "" && len(d.Events) < eventsPerPage
	// A search in payloads or for a trace reads too much to do it again and again.
	d.Live = d.First && d.Filter.Payload == "" && d.Filter.Trace == "" && err == nil
	v.NotLive = !d.Live
	return v, v.correctable(err)
}

// tabs are the choices of a status, with counts where they are those of the list.
func (f eventFilter) tabs(s admin.Status) []statusTab {
	tabs := []statusTab{{"", "All", nil}, {"waiting", "Waiting", &s.Waiting}, {"held", "Being delivered", &s.Held}, {"done", "Done", &s.Done}}
	if f.Narrows() {
		for i := range tabs {
			tabs[i].Count = nil
		}
	}
	if f.Status == "dead" { // for some seconds, after another program marked it so
		tabs = append(tabs, statusTab{"dead", "Dead", nil})
	}
	return tabs
}
