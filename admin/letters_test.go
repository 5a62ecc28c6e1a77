package admin_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

type page struct {
	Letters []admin.Letter `json:"letters"`
	Next    string         `json:"next"`
}

type report struct {
	Applied   int            `json:"applied"`
	Conflicts int            `json:"conflicts"`
	Gone      int            `json:"gone"`
	More      bool           `json:"more"`
	Results   []admin.Result `json:"results"`
}

func TestPagesShowEachLetterOnce(t *testing.T) {
	r := newRig(t)
	want := r.kill("order-placed", "refused", 7)
	r.kill("order-paid", "refused", 3)
	var got []string
	for cursor := ""; ; {
		var p admin.LetterPage
		r.want(200, r.send(admin.Viewer, "GET", "/api/v1/dead-letters?type=order-placed&limit=3&cursor="+cursor, ""), &p)
		if p.Next != "" && !p.LookedTo.Equal(p.Letters[2].DiedAt) || p.Next == "" && p.LookedTo != nil {
			t.Errorf("next %q, looked back to %v", p.Next, p.LookedTo)
		}
		for _, l := range p.Letters {
			got = append(got, l.ID)
			if l.Payload != "" || l.Headers != nil || l.Failures != nil {
				t.Errorf("the list shows %+v", l)
			}
		}
		if cursor = p.Next; cursor == "" {
			break
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestALetterIsShownWholeUnlessPayloadsAreHidden(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.HidePayloads = true })
	id := r.kill("order-placed", "refused", 1)[0]
	for role, whole := range map[admin.Role]bool{admin.Viewer: false, admin.Operator: true, admin.Admin: true} {
		var l admin.Letter
		r.want(200, r.send(role, "GET", "/api/v1/dead-letters/"+id, ""), &l)
		if shown := l.Payload == `{"n":0}` && l.Headers["secret"] == "4711"; shown != whole || len(l.Failures) != 1 || l.Attempts != 3 || l.Error != "refused" {
			t.Errorf("%s sees %+v", role, l)
		}
		manual := r.send(role, "GET", "/api/outbox-dlq/events/"+id, "")
		list := r.send(role, "GET", "/api/outbox-dlq/events", "")
		if strings.Contains(manual.text, `"payload"`) != whole || strings.Contains(list.text, `"payload"`) != whole {
			t.Errorf("%s sees %s and %s", role, manual.text, list.text)
		}
	}
}

func TestAnActionIsAppliedToIDsAndAuditedUnderTheName(t *testing.T) {
	r := newRig(t)
	dead := r.kill("order-placed", "refused", 3)
	for i, action := range []string{"retry", "resolve", "delete"} {
		var rep report
		body := `{"ids":` + ids([]string{dead[i], "none", "not an id"}) + `,"note":"mended"}`
		r.want(200, r.send(admin.Admin, "POST", "/api/v1/dead-letters/"+action, body), &rep)
		if rep.Applied != 1 || rep.Gone != 2 || len(rep.Results) != 3 || rep.Results[0].Status != driver.DeadApplied || rep.Results[2].Status != driver.DeadNotFound {
			t.Errorf("%s: %+v", action, rep)
		}
	}
	if n := r.waiting(); n != 1 {
		t.Errorf("%d events wait, want the one that was retried", n)
	}
	var log struct {
		Entries []admin.AuditEntry `json:"entries"`
	}
	r.want(200, r.send(admin.Viewer, "GET", "/api/v1/audit", ""), &log)
	if len(log.Entries) != 3 || log.Entries[0].By != "anna" || log.Entries[0].Note != "mended" || log.Entries[0].Action != "delete" || !slices.Equal(log.Entries[2].Subjects, dead[:1]) {
		t.Errorf("%+v", log.Entries)
	}
}

func TestAnIDBeyondASCIIIsRefusedAndNotCalledUnknown(t *testing.T) {
	r := newRig(t)
	for path, method := range map[string]string{
		"/api/v1/dead-letters/%C3%AFd": "GET", "/api/v1/events/%C3%AFd": "GET", manual + "/%C3%AFd": "DELETE",
	} {
		problem(t, path, r.send(admin.Admin, method, path, ""), http.StatusUnprocessableEntity)
	}
	problem(t, "ids", r.send(admin.Admin, "POST", "/api/v1/dead-letters/retry", `{"ids":["ïd"]}`), http.StatusUnprocessableEntity)
	problem(t, "edit", r.send(admin.Admin, "POST", "/api/v1/dead-letters/%C3%AFd/edit", `{"payload":"{}"}`), http.StatusUnprocessableEntity)
}

func TestTooManyIDsAreRefused(t *testing.T) {
	r := newRig(t)
	many := make([]string, 1001)
	for i := range many {
		many[i] = strconv.Itoa(i)
	}
	for path, method := range map[string]string{"/api/v1/dead-letters/retry": "POST", manual: "DELETE"} {
		problem(t, path, r.send(admin.Admin, method, path, `{"ids":`+ids(many)+`}`), http.StatusBadRequest)
		r.want(200, r.send(admin.Admin, method, path, `{"ids":`+ids(many[:1000])+`}`), nil)
	}
}

func TestWhatIsNotAskedProperlyChangesNothing(t *testing.T) {
	r := newRig(t)
	r.kill("order-placed", "refused", 1)
	for _, body := range []string{
		`{}`, `{"ids":[]}`, `{"ids":["a"],"filter":{}}`, `{"all":true}`, `{"ids":[["a"]]}`, `{"ids":[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]}`,
		`{"ids":["a"],"dry_run":true}`, `{"ids":["a"],"note":"\u0000"}`, `[]`, `{`, `null`, `{"ids":[1]}`,
	} {
		if a := r.send(admin.Admin, "POST", "/api/v1/dead-letters/delete", body); a.status != http.StatusUnprocessableEntity && a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, a.status, a.text)
		}
	}
	for _, query := range []string{"?limit=0", "?limit=201", "?limit=x", "?cursor=x", "?cursor=AAAA", "?type=%00", "?type=%ff", "?error=%00", "?tpye=x", "?died_after=x", "?died_after=0000-01-01T00:00:00Z", "?died_before=1969-12-31T00:00:00Z"} {
		problem(t, query, r.send(admin.Viewer, "GET", "/api/v1/dead-letters"+query, ""), http.StatusUnprocessableEntity)
	}
	var p page
	if r.want(200, r.send(admin.Viewer, "GET", "/api/v1/dead-letters", ""), &p); len(p.Letters) != 1 {
		t.Errorf("%d letters are left", len(p.Letters))
	}
}

func TestAnAnswerIsNotMuchLargerThanItsRequest(t *testing.T) {
	r := newRig(t)
	var fields, same strings.Builder
	for i := range 20_000 {
		fields.WriteString(`,"f` + strconv.Itoa(i) + `":1`)
		same.WriteString(",1")
	}
	for _, c := range [][3]string{
		{"POST", "/api/v1/dead-letters/retry", `{"ids":["a"]` + fields.String() + `}`},
		{"POST", "/api/v1/pause", `{"types":["a"]` + fields.String() + `}`},
		{"PATCH", manual, `{"status":"RESOLVED","ids":[1` + same.String() + `]}`},
		{"PATCH", manual, `{"status":"RESOLVED","ids":[[]]}`},
		{"DELETE", manual, `{"ids":[[],[]]}`},
	} {
		a := r.send(admin.Admin, c[0], c[1], c[2])
		problem(t, c[0]+" "+c[1], a, http.StatusUnprocessableEntity)
		if len(a.text) > 4000 {
			t.Errorf("%s %s: an answer of %d bytes to %d", c[0], c[1], len(a.text), len(c[2]))
		}
	}
}

func TestALetterSaysWhetherItMayHaveBeenDelivered(t *testing.T) {
	r := newRig(t)
	for want, lost := range map[driver.Delivered]bool{driver.DeliveredNo: false, driver.DeliveredMaybe: true} {
		id := r.fail("order-placed", 1, driver.Failure{Attempt: 1, Class: driver.ClassTimeout, Error: "no", Maybe: lost})[0]
		var l admin.Letter
		r.want(200, r.send(admin.Viewer, "GET", "/api/v1/dead-letters/"+id, ""), &l)
		if l.Delivered != want || l.Class != "timeout" || l.Failures[0].Class != "timeout" || l.Failures[0].Maybe != lost {
			t.Errorf("%+v", l)
		}
	}
	var p page
	r.want(200, r.send(admin.Viewer, "GET", "/api/v1/dead-letters", ""), &p)
	if len(p.Letters) != 2 || p.Letters[0].Delivered == p.Letters[1].Delivered {
		t.Errorf("%+v", p.Letters)
	}
}

// foreign is a store with letters that another program wrote.
type foreign struct {
	*memstore.Store
	letters []driver.DeadLetter
}

func (f foreign) ListDead(_ context.Context, _ driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
	i := 0
	if after != nil {
		i = 1 + slices.IndexFunc(f.letters, func(l driver.DeadLetter) bool { return l.Event.ID == after.EventID && l.DiedAt.Equal(after.DiedAt) })
	}
	ls := f.letters[i:min(i+limit, len(f.letters))]
	if i+limit >= len(f.letters) {
		return ls, nil, nil
	}
	return ls, ls[limit-1].Cursor(), nil
}

func (f foreign) GetDead(_ context.Context, id string) (driver.DeadLetter, bool, error) {
	i := slices.IndexFunc(f.letters, func(l driver.DeadLetter) bool { return l.Event.ID == id })
	if i < 0 {
		return driver.DeadLetter{}, false, nil
	}
	return f.letters[i], true, nil
}

func TestLettersOfOtherProgramsAreShown(t *testing.T) {
	var ls []driver.DeadLetter
	odd := []string{"order 1", "order\t2", "größe", "order/4", "Ω"}
	for i, id := range odd {
		l := driver.DeadLetter{CreatedAt: time.Date(20000*i, 1, 1, 0, 0, 0, 0, time.UTC), DiedAt: time.Unix(int64(1000-i), 0)}
		l.Event.ID, l.Event.Bytes = id, []byte{0xff, 0xfe, 0, 'a'}
		ls = append(ls, l)
	}
	r := newRig(t, func(c *admin.Config) { c.Store = foreign{c.Store.(*memstore.Store), ls} })
	var got []string
	for cursor := ""; ; {
		var p page
		r.want(200, r.send(admin.Viewer, "GET", "/api/v1/dead-letters?limit=1&cursor="+cursor, ""), &p)
		got = append(got, p.Letters[0].ID)
		if cursor = p.Next; cursor == "" {
			break
		}
	}
	if !slices.Equal(got, odd) {
		t.Errorf("got %q", got)
	}
	for _, id := range []string{"order 1", "order\t2", "order/4"} {
		var l admin.Letter
		r.want(200, r.send(admin.Viewer, "GET", "/api/v1/dead-letters/"+url.PathEscape(id), ""), &l)
		if l.ID != id || l.PayloadBytes == nil || string(*l.PayloadBytes) != "\xff\xfe\x00a" {
			t.Errorf("%+v", l)
		}
		if a := r.send(admin.Viewer, "GET", manual+"/"+url.PathEscape(id), ""); !strings.Contains(a.text, `"payloadBytes":"//4AYQ=="`) {
			t.Errorf("%s", a.text)
		}
	}
}

func TestARepeatedIDIsAnsweredOnce(t *testing.T) {
	r := newRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	var rep report
	r.want(200, r.send(admin.Operator, "POST", "/api/v1/dead-letters/retry", `{"ids":`+ids([]string{id, id, id})+`}`), &rep)
	if rep.Applied != 1 || len(rep.Results) != 1 {
		t.Errorf("%+v", rep)
	}
}

func TestWhatLooksLikeSQLOrHTMLIsText(t *testing.T) {
	r := newRig(t)
	const odd = `'; DROP TABLE outbox_event; -- <script>alert(1)</script> %_\`
	r.kill(odd, odd, 1)
	for _, query := range []url.Values{{"type": {odd}}, {"error": {odd}}} {
		var p page
		a := r.send(admin.Viewer, "GET", "/api/v1/dead-letters?"+query.Encode(), "")
		r.want(200, a, &p)
		if len(p.Letters) != 1 || p.Letters[0].Error != odd || a.header.Get("Content-Type") != "application/json" {
			t.Errorf("%v: %s %s", query, a.header.Get("Content-Type"), a.text)
		}
	}
	for _, id := range []string{odd, "a\x00b", strings.Repeat("x", 5000), "../status", "%"} {
		for _, path := range []string{"/api/v1/dead-letters/", "/api/outbox-dlq/events/"} {
			problem(t, id, r.send(admin.Viewer, "GET", path+url.PathEscape(id), ""), http.StatusNotFound)
		}
	}
	r.want(200, r.send(admin.Operator, "POST", "/api/v1/pause", `{"types":["<b>"],"note":"=cmd|x"}`), nil)
	a := r.send(admin.Viewer, "GET", "/api/v1/audit.csv", "")
	if r.want(200, a, nil); a.header.Get("Content-Type") != "text/csv; charset=utf-8" || !strings.Contains(a.text, ",olga,pause,0,\"[\"\"<b>\"\"]\",'=cmd|x,\n") {
		t.Errorf("%s: %s", a.header.Get("Content-Type"), a.text)
	}
}

func TestPausingIsSeenInTheStatus(t *testing.T) {
	r := newRig(t)
	r.kill("order-placed", "refused", 2)
	r.want(200, r.send(admin.Operator, "POST", "/api/v1/pause", `{"types":["order-placed"]}`), nil)
	r.want(200, r.send(admin.Operator, "POST", "/api/v1/pause", `{"all":true}`), nil)
	var s admin.Status
	r.want(200, r.send(admin.Viewer, "GET", "/api/v1/status", ""), &s)
	if !slices.Equal(s.Paused, []string{"*", "order-placed"}) || s.Dead.N != 2 || len(s.Types) != 1 || s.Types[0].Dead.N != 2 {
		t.Errorf("%+v", s)
	}
	r.want(200, r.send(admin.Operator, "POST", "/api/v1/resume", `{"all":true}`), nil)
	r.want(200, r.send(admin.Operator, "POST", "/api/v1/resume", `{"types":["order-placed"]}`), nil)
	if r.want(200, r.send(admin.Viewer, "GET", "/api/v1/status", ""), &s); len(s.Paused) != 0 {
		t.Errorf("%v is paused", s.Paused)
	}
	for _, body := range []string{`{}`, `{"types":["a"],"all":true}`, `{"types":[""]}`, `{"types":["` + strings.Repeat("x", 129) + `"]}`, `{"types":["a\u0000"]}`,
		`{"destinations":["a"],"all":true}`, `{"destinations":[""]}`, `{"destinations":["` + strings.Repeat("x", 513) + `"]}`, `{"destinations":["a\u0000"]}`} {
		problem(t, body, r.send(admin.Operator, "POST", "/api/v1/pause", body), http.StatusUnprocessableEntity)
	}
}
