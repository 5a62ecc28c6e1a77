package console_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/driver"
)

func TestTheListOfEventsIsNarrowedByItsAddress(t *testing.T) {
	r := newEventRig(t)
	placed := r.write(
		outbox.Event{Type: "order-placed", AggregateType: "Order", AggregateID: "A-1", TenantID: "acme", JSON: []byte(`{"customer":{"id":4711}}`)},
		outbox.Event{Type: "order-placed", AggregateType: "Order", AggregateID: "A-2", TenantID: "globex", JSON: []byte(`{"customer":{"id":4712}}`)})
	r.settle("order-placed", driver.Outcome{Kind: driver.Done})
	paid := r.write(outbox.Event{Type: "order-paid", AggregateType: "Order", AggregateID: "A-1", TenantID: "acme", JSON: []byte(`{}`)})
	hour := time.Now().UTC().Add(time.Hour).Format("2006-01-02T15:04")
	for query, want := range map[string][]string{
		"":                                  {placed[0], placed[1], paid[0]},
		"?type=order-placed":                {placed[0], placed[1]},
		"?key=A-1":                          {placed[0], paid[0]},
		"?tenant=globex":                    {placed[1]},
		"?status=waiting":                   {paid[0]},
		"?status=done&key=A-2":              {placed[1]},
		"?payload=$.customer.id%3D4711":     {placed[0]},
		"?payload=$.customer.id%3D1":        nil,
		"?within=1h":                        {placed[0], placed[1], paid[0]},
		"?after=" + hour:                    nil,
		"?before=" + hour:                   {placed[0], placed[1], paid[0]},
		"?within=1h&before=" + hour + ":30": {placed[0], placed[1], paid[0]},
		"?before=2020-01-31T15:04":          nil,
		"?type=&key=&tenant=globex&status=&payload=&within=&after=&before=": {placed[1]}, // as a form sends it
	} {
		page := r.shows(admin.Viewer, "events"+query, 200)
		for _, id := range append(placed, paid...) {
			shown := strings.Contains(page, `href="./events/one?id=`+id+`"`)
			wanted := strings.Contains(strings.Join(want, " "), id)
			if shown != wanted {
				t.Errorf("events%s shows %s: %t, want %t", query, id, shown, wanted)
			}
		}
		if want == nil && !strings.Contains(page, "No event matches") {
			t.Errorf("events%s does not say that nothing matches", query)
		}
	}
	r.shows(admin.Viewer, "events", 200, `<option value="order-paid"></option>`, `Waiting <span class="n">1</span>`, `Done <span class="n">2</span>`, `hx-sse:connect="?live"`)
	r.shows(admin.Viewer, "events?key=A-1", 200, `href="?key=A-1&amp;status=done"`, `value="A-1"`, `!<span class="n">`)
	r.shows(admin.Viewer, "events?payload=$.a%3D1", 200, "!hx-sse:connect")
}

func TestAFilterThatIsWrongCanBePutRight(t *testing.T) {
	r := newEventRig(t)
	for query, says := range map[string]string{
		"after=yesterday&key=A-1":         "A time is not readable",
		"payload=customer&key=A-1":        "$.customer.id=4711",
		"status=lost&key=A-1":             "status",
		"cursor=x&key=A-1":                "cursor",
		"before=1950-01-01T00:00&key=A-1": "written_before",
	} {
		r.shows(admin.Viewer, "events?"+query, 422, says, `name="key" value="A-1"`, "!hx-sse:connect", "!No event matches")
	}
}

var older = regexp.MustCompile(`rel="next" href="([^"]*)"`)

func TestOlderPagesShowEveryEventOnce(t *testing.T) {
	r := newEventRig(t)
	var es []outbox.Event
	for i := range 120 {
		es = append(es, outbox.Event{Type: "order-placed", TenantID: "acme", JSON: fmt.Appendf(nil, `{"n":%d}`, i)})
	}
	r.write(es...)
	seen, pages := map[string]int{}, 0
	for query := "?tenant=acme"; query != ""; pages++ {
		page := r.shows(admin.Viewer, "events"+query, 200, "!Looked at")
		for _, m := range regexp.MustCompile(`href="\./events/one\?id=([^"]+)"`).FindAllStringSubmatch(page, -1) {
			seen[m[1]]++
		}
		if first := pages == 0; strings.Contains(page, "Newest") == first || strings.Contains(page, "hx-sse:connect") != first {
			t.Errorf("page %d can go back to the first, or is live: %s", pages, page)
		}
		query = ""
		if m := older.FindStringSubmatch(page); m != nil {
			query = strings.ReplaceAll(m[1], "&amp;", "&")
		}
	}
	if len(seen) != 120 || pages != 3 {
		t.Errorf("%d events in %d pages, want 120 in 3", len(seen), pages)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s is shown %d times", id, n)
		}
	}
}

func TestASearchInPayloadsSaysHowFarItLooked(t *testing.T) {
	r := newEventRig(t)
	es := make([]outbox.Event, 2600)
	for i := range es {
		es[i] = outbox.Event{Type: "order-placed", JSON: fmt.Appendf(nil, `{"n":%d}`, i)}
	}
	ids := r.write(es...)
	page := r.shows(admin.Viewer, "events?payload=$.n%3D0", 200, "Looked at up to 2,500 events", "Go on", "!"+ids[0], "!No event matches")
	next := strings.ReplaceAll(older.FindStringSubmatch(page)[1], "&amp;", "&")
	r.shows(admin.Viewer, "events"+next, 200, "/events/one?id="+ids[0], "!Looked at")
}

func TestWhoMayNotSeePayloadsIsNotOfferedToSearchInThem(t *testing.T) {
	hidden := newEventRig(t, func(c *console.Config) { c.API.HidePayloads = true })
	hidden.shows(admin.Viewer, "events", 200, `!name="payload"`)
	hidden.shows(admin.Operator, "events", 200, `name="payload"`)
	hidden.shows(admin.Viewer, "events?payload=$.n%3D1", 403, "Payloads are hidden")
	masked := newEventRig(t, func(c *console.Config) { c.API.Mask = []string{"pin"} })
	masked.shows(admin.Operator, "events", 200, `!name="payload"`)
	masked.shows(admin.Admin, "events", 200, `name="payload"`)
}

func TestTheListOfEventsEscapesWhatItShows(t *testing.T) {
	r := newEventRig(t)
	r.write(outbox.Event{Type: "order-placed", AggregateType: "Order", AggregateID: hostile, TenantID: hostile, JSON: []byte(`{}`)})
	r.settle("order-placed", driver.Outcome{Kind: driver.Retry, Delay: time.Hour, Attempts: 1, Error: hostile}, driver.Failure{Attempt: 1, Error: hostile})
	r.shows(admin.Viewer, "events", 200, "&lt;script&gt;alert", "!<script", "in 60 min")
	q := url.QueryEscape(hostile)
	r.shows(admin.Viewer, "events?type="+q+"&key="+q+"&tenant="+q+"&within="+q, 200, "&lt;script&gt;alert", "!<script")
	r.shows(admin.Viewer, "events?status="+q+"&cursor="+q+"&after="+q, 422, "!<script")
}

func TestAnEmptyOutboxSaysWhenItFills(t *testing.T) {
	newEventRig(t).shows(admin.Viewer, "events", 200, "The outbox is empty")
}

func TestASearchForATraceSaysHowFarItLooked(t *testing.T) {
	r := newEventRig(t)
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	es := make([]outbox.Event, 2600)
	for i := range es {
		es[i] = outbox.Event{Type: "order-placed", JSON: []byte(`{}`)}
	}
	es[0].TraceID = trace
	es[2599].TraceID = "0af7651916cd43dd8448eb211c80319c"
	ids := r.write(es...)
	page := r.shows(admin.Viewer, "events?trace="+trace, 200, "Looked at up to 2,500 events", "Go on", "!"+ids[0], `value="`+trace+`"`)
	next := strings.ReplaceAll(older.FindStringSubmatch(page)[1], "&amp;", "&")
	r.shows(admin.Viewer, "events"+next, 200, "/events/one?id="+ids[0], "!Looked at")
	r.shows(admin.Viewer, "find?q="+es[2599].TraceID, 200, "Events of this trace", "/events/one?id="+ids[2599])
	r.shows(admin.Viewer, "find?q="+trace, 200, "none belongs to a trace of this id", "events?trace="+trace, "!"+ids[0])
	r.shows(admin.Viewer, "find?q=00000000000000000000000000000000", 200, "none belongs to a trace of this id")
	r.shows(admin.Viewer, "find?q=order-1", 200, "!trace of this id")
}
