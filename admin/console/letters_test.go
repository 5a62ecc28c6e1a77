package console_test

import (
	"fmt"
	"html"
	"net/http"
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

const noLetters = "No dead letters: everything was delivered, or still may be."

func TestWithoutDeadLettersThePagesSaySo(t *testing.T) {
	r := newLetterRig(t)
	r.see(admin.Viewer, "dead-letters", noLetters)
	r.see(admin.Viewer, "dead-letters/list", noLetters)
	r.see(admin.Viewer, "dead-letters/list?resolved=true", "Nothing was resolved")
	r.see(admin.Viewer, "dead-letters/list?type=x", "No dead letter matches")
	r.refused(admin.Viewer, http.MethodGet, "dead-letters/one?id=nobody", nil, 404, "No dead letter has this id")
	r.refused(admin.Viewer, http.MethodGet, "dead-letters/group?id=nobody", nil, 404, "No group has this id")
	r.refused(admin.Viewer, http.MethodGet, "dead-letters/nobody/nothing", nil, 404, "There is nothing at this address")
}

func TestDeadLettersAreShownByReason(t *testing.T) {
	r := newLetterRig(t)
	r.kill("order-placed", "gateway refused order 17", 3)
	r.kill("mail-requested", "no such template", 1)
	text := r.see(admin.Operator, "dead-letters", "order-placed", "gateway refused order #", "no such template", "Retry all …", "I look at it", "Mark or mute …", "Resolve …")
	r.hasNot("an operator's page", text, "Delete …")
	r.has("an admin's page", r.see(admin.Admin, "dead-letters"), "Delete …")
	r.hasNot("a viewer's page", r.see(admin.Viewer, "dead-letters", "gateway refused order #"), "Retry", "I look at it", "Mark or mute", "Resolve …", "Delete")
	for _, g := range r.groups() {
		text := r.see(admin.Admin, "dead-letters/group?id="+g.ID, g.Reason, g.Lane, "being looked at", "data-select", "Retry all …", "../dead-letters/act")
		if n := strings.Count(text, "data-select aria-label"); int64(n) != g.Open.N {
			t.Errorf("%d letters of %s, want %d", n, g.Reason, g.Open.N)
		}
		text = r.see(admin.Viewer, "dead-letters/group?id="+g.ID, g.Reason)
		r.hasNot("a viewer's group", text, "<textarea", "data-select ", `name="action"`, "dead-letters/act")
	}
}

func TestLettersThatAreInNoGroupYetAreMentioned(t *testing.T) {
	r := newLetterRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	r.post(admin.Admin, "dead-letters/act", url.Values{"action": {"retry"}, "id": {id}}, "dead-letters/list?done=retry&n=1")
	owner := driver.NewOwner("a")
	cs, err := r.store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "order-placed", Rows: 1}}})
	if err != nil || len(cs) != 1 {
		t.Fatalf("%d claimed, error %v", len(cs), err)
	}
	if _, err := r.store.Settle(t.Context(), owner, []driver.Outcome{{Held: cs[0].Held, Kind: driver.Dead, Attempts: 1, Error: "again"}}, true); err != nil {
		t.Fatal(err)
	}
	r.see(admin.Viewer, "dead-letters", "There are dead letters that are in no group yet")
}

func TestAGroupIsMarkedMutedAndNewAgain(t *testing.T) {
	r := newLetterRig(t)
	r.kill("order-placed", "refused", 1)
	g := r.groups()[0]
	path := "dead-letters/mark?id=" + g.ID
	r.see(admin.Operator, path+"&to=dead-letters", "Who looks after these letters?", `name="state" value="muted"`)
	r.post(admin.Operator, path, url.Values{"state": {"investigating"}, "note": {"asking\r\nthe bank"}, "to": {"dead-letters/group?id=" + g.ID}}, "dead-letters/group?id="+g.ID+"&done=mark")
	if g := r.groups()[0]; g.State != driver.GroupInvestigating || g.By != "olga" || g.Note != "asking\nthe bank" {
		t.Errorf("%+v", g)
	}
	r.see(admin.Viewer, "dead-letters", "◉ being looked at", "marked by olga", "asking")
	r.hasNot("olga's page", r.see(admin.Operator, "dead-letters"), "I look at it")
	r.see(admin.Admin, "dead-letters", "I look at it") // in place of her
	r.post(admin.Operator, path, url.Values{"state": {"muted"}, "for": {"8h"}}, "dead-letters?done=mark")
	if g := r.groups()[0]; g.State != driver.GroupMuted || g.MutedUntil.Sub(time.Now()).Round(time.Hour) != 8*time.Hour {
		t.Errorf("%+v", g)
	}
	r.post(admin.Operator, path, url.Values{"state": {"muted"}, "for": {"8h"}, "until": {"2099-01-02T03:04"}}, "dead-letters?done=mark")
	if g := r.groups()[0]; !g.MutedUntil.Equal(time.Date(2099, 1, 2, 3, 4, 0, 0, time.UTC)) {
		t.Errorf("%+v", g)
	}
	r.see(admin.Viewer, "dead-letters", "muted until")
	r.refused(admin.Operator, http.MethodPost, path, url.Values{"state": {"muted"}}, 422, "Say until when")
	r.refused(admin.Operator, http.MethodPost, path, url.Values{"state": {"muted"}, "until": {"2001-01-01T00:00"}}, 422, "Say until when")
	r.refused(admin.Operator, http.MethodPost, path, url.Values{"state": {"odd"}}, 422, "")
	r.refused(admin.Viewer, http.MethodPost, path, url.Values{"state": {"new"}}, 403, "role")
	r.refused(admin.Viewer, http.MethodGet, path, nil, 403, "role")
	r.post(admin.Operator, path, url.Values{"state": {"new"}, "to": {"https://elsewhere.example"}}, "dead-letters?done=mark")
	if g := r.groups()[0]; g.State != driver.GroupNew || g.Note != "" {
		t.Errorf("%+v", g)
	}
}

func TestLettersAreFilteredByTheirAddress(t *testing.T) {
	r := newLetterRig(t)
	r.die(outbox.Event{Type: "order-placed", AggregateID: "A-1", TenantID: "acme"}, 2, driver.Failure{Error: "refused: 17", Destination: "bank"})
	r.die(outbox.Event{Type: "mail-requested", AggregateID: "B-2"}, 1, driver.Failure{Error: "no template"})
	rows := func(query string) int {
		return strings.Count(r.see(admin.Operator, "dead-letters/list"+query), "data-select aria-label")
	}
	past, future := url.QueryEscape("2001-01-01T00:00"), url.QueryEscape("2099-01-01T00:00:00Z")
	for query, want := range map[string]int{
		"": 3, "?type=order-placed": 2, "?type=nobody": 0, "?key=B-2": 1, "?tenant=acme": 2, "?error=refused": 2,
		"?destination=bank": 2, "?payload=" + url.QueryEscape("$.customer.id=4712"): 1, "?resolved=true": 0,
		"?died_after=" + past: 3, "?died_after=" + future: 0, "?died_before=" + future: 3, "?died_before=" + past: 0,
		"?group=" + r.groups()[0].ID: 1,
	} {
		if got := rows(query); got != want {
			t.Errorf("%s shows %d letters, want %d", query, got, want)
		}
	}
	r.see(admin.Viewer, "dead-letters/list?type=order-placed&error=a%22b", `value="order-placed"`, `value="a&#34;b"`)
	r.refused(admin.Viewer, http.MethodGet, "dead-letters/list?payload=nonsense&type=x", nil, 422, `value="nonsense"`)
	r.refused(admin.Viewer, http.MethodGet, "dead-letters/list?died_after=yesterday", nil, 422, "A time is not readable")
	text := r.see(admin.Viewer, "dead-letters/list", "refused: 17")
	r.hasNot("a viewer's list", text, "data-select ", "dead-letters/act?", "Retry")
}

func TestOlderLettersAreOnTheNextPage(t *testing.T) {
	r := newLetterRig(t)
	r.kill("order-placed", "refused", 120)
	seen, path := 0, "dead-letters/list?type=order-placed"
	for pages := 1; path != ""; pages++ {
		text := r.see(admin.Operator, path)
		seen += strings.Count(text, "data-select aria-label")
		m := regexp.MustCompile(`rel="next" href="../(dead-letters/list[^"]*)"`).FindStringSubmatch(text)
		if path = ""; m != nil {
			path = strings.ReplaceAll(m[1], "&amp;", "&")
		}
		if pages > 3 {
			t.Fatal("there are more than three pages")
		}
	}
	if seen != 120 {
		t.Errorf("%d letters on all pages, want 120", seen)
	}
	text := r.see(admin.Viewer, "dead-letters/group?id="+r.groups()[0].ID, "Older")
	r.hasNot("a full page", text, "Looked back to")
	r.kill("mail-requested", "no template", 2600)
	text = r.see(admin.Viewer, "dead-letters/list?payload="+url.QueryEscape("$.n=99999"), "None so far", "Looked back to", "Older")
	r.hasNot("a search in payloads", text, "hx-sse:connect", "live-switch")
	r.see(admin.Viewer, "dead-letters/list?type=mail-requested", "hx-sse:connect", "live-switch")
}

func TestALetterShowsWhatIsKnownOfIt(t *testing.T) {
	r := newLetterRig(t, func(c *console.Config) { c.TraceURL = "https://traces.example/t/{trace}" })
	e := outbox.Event{Type: "order-placed", AggregateType: "Order", AggregateID: "A-1", TenantID: "acme", TraceID: "4bf92f3577b34da6a3ce929d0e0e4736", CorrelationID: "c-1", Headers: map[string]string{"source": "shop"}}
	id := r.die(e, 1, driver.Failure{Error: "answer lost", Maybe: true, Class: driver.ClassTimeout})[0]
	text := r.see(admin.Admin, "dead-letters/one?id="+id, id, "answer lost", "may have been delivered", "timeout", "Attempt 1", "relay-1", "customer", "source", "shop", "Order", "A-1", "acme", "c-1",
		`href="https://traces.example/t/4bf92f3577b34da6a3ce929d0e0e4736"`, "Edit and retry", "Retry …", "Resolve …", "Delete …", "Save the note")
	if !strings.Contains(text, "after 3 attempts") {
		t.Error("it does not say after how many attempts")
	}
	text = r.see(admin.Operator, "dead-letters/one?id="+id, "Retry …", "Resolve …", "Save the note")
	r.hasNot("an operator's page", text, "Edit and retry", "Delete …")
	r.hasNot("a viewer's page", r.see(admin.Viewer, "dead-letters/one?id="+id), "Retry", "Resolve …", "Delete …", "<textarea")
	r.post(admin.Operator, "dead-letters/note?id="+id, url.Values{"note": {" the bank\r\nknows "}}, "dead-letters/one?id="+id+"&done=note")
	l, _, err := r.store.GetDead(t.Context(), id)
	if err != nil || l.Note != "the bank\nknows" || l.NotedBy != "olga" {
		t.Errorf("%+v, error %v", l, err)
	}
	r.see(admin.Viewer, "dead-letters/one?id="+id, "the bank\nknows", "by olga")
	r.refused(admin.Viewer, http.MethodPost, "dead-letters/note?id="+id, url.Values{"note": {"x"}}, 403, "role")
	r.refused(admin.Operator, http.MethodPost, "dead-letters/note?id=nobody", url.Values{"note": {"x"}}, 404, "No dead letter")
}

func TestHiddenAndMaskedPayloadsStaySo(t *testing.T) {
	r := newLetterRig(t, func(c *console.Config) { c.API.HidePayloads, c.API.Mask = true, []string{"customer"} })
	id := r.kill("order-placed", "refused", 1)[0]
	r.hasNot("a viewer's page", r.see(admin.Viewer, "dead-letters/one?id="+id, "hidden from your role"), "4711", "shop")
	r.hasNot("an operator's page", r.see(admin.Operator, "dead-letters/one?id="+id, "***"), "4711")
	r.see(admin.Admin, "dead-letters/one?id="+id, "4711")
	r.refused(admin.Operator, http.MethodGet, "dead-letters/list?payload="+url.QueryEscape("$.customer.id=4711"), nil, 403, "masked")
}

func TestHostileTextIsShownAsText(t *testing.T) {
	r := newLetterRig(t)
	const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`
	e := outbox.Event{Type: evil, AggregateType: evil, AggregateID: evil, TenantID: "<b>t</b>", CorrelationID: evil, Headers: map[string]string{"h": evil, "</textarea>": evil}, Bytes: []byte("</textarea>" + evil)}
	id := r.die(e, 1, driver.Failure{Error: evil + "\n" + evil, Destination: evil})[0]
	g := r.groups()[0]
	r.post(admin.Operator, "dead-letters/mark?id="+g.ID, url.Values{"state": {"investigating"}, "note": {evil}}, "dead-letters?done=mark")
	r.post(admin.Operator, "dead-letters/note?id="+id, url.Values{"note": {"</textarea>" + evil}}, "done=note")
	q := url.QueryEscape(evil)
	for _, path := range []string{
		"dead-letters", "dead-letters/group?id=" + g.ID, "dead-letters/mark?id=" + g.ID + "&to=" + q, "dead-letters/list", "dead-letters/list?type=" + q + "&error=" + q + "&payload=" + url.QueryEscape("$.a="+evil),
		"dead-letters/one?id=" + id, "dead-letters/edit?id=" + id, "dead-letters/act?action=retry&id=" + id + "&to=" + q, "dead-letters/act?action=delete&type=" + q + "&error=" + q, "dead-letters?done=" + q + "&n=" + q,
	} {
		text := r.see(admin.Admin, path)
		r.hasNot(path, text, "<script>alert", "<img src=x", "<b>t</b>", "\"'>")
		if n := strings.Count(text, "</textarea>"); n != strings.Count(text, "<textarea") {
			t.Errorf("%s: a text leaves its field", path)
		}
	}
	p := r.send(admin.Admin, http.MethodPost, "dead-letters/edit?id="+id, url.Values{"payload": {"new" + evil}, "headers": {"x: " + evil}, "note": {evil}, "step": {"review"}, "died": {fmt.Sprint(evil)}})
	r.hasNot("the review", p.text, "<script>alert", "<img src=x")
}

func TestEveryIDHasAPage(t *testing.T) {
	for _, id := range []string{"a/b?c#d%e&f=g+h", ".", "..", "...", "list", "act", "one", "new", "a:b", "//evil.example"} {
		t.Run(id, func(t *testing.T) {
			r := newLetterRig(t)
			r.die(outbox.Event{ID: id, Type: "order-placed"}, 1, driver.Failure{Error: "refused"})
			q := "?id=" + strings.ReplaceAll(url.QueryEscape(id), "+", "%20")
			plus := html.EscapeString("?id=" + url.QueryEscape(id)) // as pages write it
			r.see(admin.Viewer, "dead-letters/list", `href="../dead-letters/one`+plus+`"`)
			if p := r.send(admin.Viewer, http.MethodGet, "find?q="+strings.TrimPrefix(q, "?id="), nil); p.location != "./dead-letters/one?id="+url.QueryEscape(id) {
				t.Errorf("a search leads to %q", p.location)
			}
			text := r.see(admin.Admin, "dead-letters/one"+q, `href="../static/`, `action="../dead-letters/note`+plus+`"`, `href="../dead-letters/edit`+plus+`"`, `dead-letters/one`+plus+`&amp;view=raw#payload"`)
			r.has("the page", html.UnescapeString(text), "action=retry&id="+url.QueryEscape(id))
			r.post(admin.Admin, "dead-letters/note"+q, url.Values{"note": {"odd"}}, "dead-letters/one?id="+url.QueryEscape(id)+"&done=note")
			form := editForm(r.see(admin.Admin, "dead-letters/edit"+q, `href="../static/`))
			form.Set("headers", "new: 1")
			form.Set("step", "apply")
			r.post(admin.Admin, "dead-letters/edit"+q, form, "dead-letters/one?id="+url.QueryEscape(id)+"&done=edit")
			r.want("1 wait, 0 open, 1 resolved")
			r.has("the event", html.UnescapeString(r.see(admin.Viewer, "events/one"+q)), `<h2 class="mono">`+id+`</h2>`)
			r.see(admin.Viewer, "events", `href="./events/one`+plus+`"`)
		})
	}
}

func TestEveryEventTypeHasAPage(t *testing.T) {
	r := newLetterRig(t)
	for _, name := range []string{"..", ".", "a/b", "one", "a&b=c"} {
		r.kill(name, "refused", 1)
		q := url.QueryEscape(name)
		r.see(admin.Viewer, "types", `href="./types/one?type=`+q+`"`)
		r.see(admin.Viewer, "types/one?type="+q, "<h2>"+html.EscapeString(name)+"</h2>")
	}
}
