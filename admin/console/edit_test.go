package console_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
)

// editForm is what a browser would send of the form of a page.
func editForm(text string) url.Values {
	out := url.Values{}
	for _, m := range regexp.MustCompile(`(?s)<textarea name="([a-z]+)"[^>]*>\n(.*?)</textarea>`).FindAllStringSubmatch(text, -1) {
		out.Set(m[1], strings.ReplaceAll(html.UnescapeString(m[2]), "\n", "\r\n"))
	}
	died := regexp.MustCompile(`name="died" value="([^"]*)"`).FindStringSubmatch(text)
	if died != nil {
		out.Set("died", html.UnescapeString(died[1]))
	}
	return out
}

// review sends an edit, and returns the page with its differences.
func (r *letterRig) review(id string, form url.Values) string {
	r.t.Helper()
	form.Set("step", "review")
	p := r.sendParts(admin.Admin, "dead-letters/edit?id="+id, form)
	if p.status != http.StatusOK {
		r.t.Fatalf("status %d: %s", p.status, p.text)
	}
	r.has("the review", p.text, "Put back with these changes", "Change again")
	return p.text
}

// back is the event that is in the outbox.
func (r *letterRig) back(id string) outbox.Event {
	r.t.Helper()
	e, found, err := r.store.GetEvent(r.t.Context(), id)
	if err != nil || !found {
		r.t.Fatalf("found %t, error %v", found, err)
	}
	return e.Event
}

// sendParts sends a form as browsers send the one of an edit.
func (r *letterRig) sendParts(role admin.Role, path string, form url.Values) page {
	r.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name := range form {
		if err := w.WriteField(name, form.Get(name)); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		r.t.Fatal(err)
	}
	return r.do(role, http.MethodPost, path, &body, w.FormDataContentType())
}

func TestAnEditIsShownAndThenCarriedOut(t *testing.T) {
	r := newLetterRig(t)
	e := outbox.Event{Type: "order-placed", JSON: []byte(`{"amount":1.50,"currency":"BTC","items":[1,2]}`), Headers: map[string]string{"source": "shop", "old": "x"}}
	id := r.die(e, 1, driver.Failure{Error: "currency not known"})[0]
	form := editForm(r.see(admin.Admin, "dead-letters/edit?id="+id, "Payload, as JSON", "currency not known", "Show the changes …"))
	if !strings.Contains(form.Get("payload"), "\r\n  \"currency\": \"BTC\",") || form.Get("headers") != "old: x\r\nsource: shop" {
		t.Fatalf("the form has %q", form)
	}
	form.Set("payload", strings.Replace(form.Get("payload"), "BTC", "EUR", 1))
	form.Set("headers", "source: shop\r\nnew: 1")
	text := r.review(id, form)
	r.has("the review", text, `<div class="minus"><span class="sign">−</span>   &#34;currency&#34;: &#34;BTC&#34;,</div>`, `<div class="plus"><span class="sign">+</span>   &#34;currency&#34;: &#34;EUR&#34;,</div>`,
		"old: x", "new: 1")
	r.want("0 wait, 1 open, 0 resolved")

	again := editForm(text)
	again.Set("step", "again")
	p := r.send(admin.Admin, http.MethodPost, "dead-letters/edit?id="+id, again)
	r.has("the form again", p.text, "EUR", "new: 1", "Show the changes …")

	apply := editForm(text)
	apply.Set("step", "apply")
	apply.Set("note", "currency was wrong")
	r.post(admin.Admin, "dead-letters/edit?id="+id, apply, "dead-letters/one?id="+id+"&done=edit")
	r.want("1 wait, 0 open, 1 resolved")
	got := r.back(id)
	if string(got.JSON) != `{"amount":1.50,"currency":"EUR","items":[1,2]}` || fmt.Sprint(got.Headers) != "map[new:1 source:shop]" {
		t.Errorf("%s with %v went back", got.JSON, got.Headers)
	}
	if a := r.audit(); a != `anna edit "currency was wrong"` {
		t.Errorf("%s in the audit log", a)
	}
	r.refused(admin.Admin, http.MethodGet, "dead-letters/edit?id="+id, nil, 409, "This letter is resolved")
	r.hasNot("a resolved letter", r.see(admin.Admin, "dead-letters/one?id="+id+"&done=edit", "with your changes"), "/edit\"")
}

func TestOnlyWhatChangedIsSent(t *testing.T) {
	r := newLetterRig(t)
	const stored = "{\"a\" : 1,\n\"b\":2}" // as no program of ours writes it
	e := outbox.Event{Type: "order-placed", JSON: json.RawMessage(stored), Headers: map[string]string{"h": " spaced "}}
	ids := r.die(e, 2, driver.Failure{Error: "refused"})
	form := editForm(r.see(admin.Admin, "dead-letters/edit?id="+ids[0]))
	form.Set("headers", form.Get("headers")+"\r\nnew: 1")
	r.hasNot("the review", r.review(ids[0], form), "Changes of the payload")
	form.Set("step", "apply")
	r.post(admin.Admin, "dead-letters/edit?id="+ids[0], form, "&done=edit")
	if got := r.back(ids[0]); string(got.JSON) != stored || fmt.Sprintf("%q", got.Headers) != `map["h":" spaced " "new":"1"]` {
		t.Errorf("%s with %q went back", got.JSON, got.Headers)
	}
	form = editForm(r.see(admin.Admin, "dead-letters/edit?id="+ids[1]))
	form.Set("payload", `{"a": 1, "b": 3}`)
	r.hasNot("the review", r.review(ids[1], form), "Changes of the headers")
	form.Set("step", "apply")
	r.post(admin.Admin, "dead-letters/edit?id="+ids[1], form, "&done=edit")
	if got := r.back(ids[1]); string(got.JSON) != `{"a": 1, "b": 3}` || got.Headers["h"] != " spaced " {
		t.Errorf("%s with %q went back", got.JSON, got.Headers)
	}
}

func TestBytesAreEditedAsTextOrBase64(t *testing.T) {
	for name, c := range map[string]struct{ before, typed, after, says string }{
		"text":    {"<order>\n</order>\n", "<order/>\r\n", "<order/>\n", "Payload, as text"},
		"bytes":   {"\x00\xff" + strings.Repeat("long ", 40), base64.StdEncoding.EncodeToString([]byte("\x01\xff"))[:2] + "\r\n" + base64.StdEncoding.EncodeToString([]byte("\x01\xff"))[2:], "\x01\xff", "written as base64"},
		"returns": {"a\r\nb", base64.StdEncoding.EncodeToString([]byte("a\r\nc")), "a\r\nc", "written as base64"},
	} {
		r := newLetterRig(t)
		id := r.die(outbox.Event{Type: "order-placed", Bytes: []byte(c.before)}, 1, driver.Failure{Error: "refused"})[0]
		form := editForm(r.see(admin.Admin, "dead-letters/edit?id="+id, c.says))
		unchanged := url.Values{"payload": form["payload"], "headers": form["headers"], "died": form["died"], "step": {"apply"}}
		r.refused(admin.Admin, http.MethodPost, "dead-letters/edit?id="+id, unchanged, 422, "You have changed nothing")
		form.Set("payload", c.typed)
		r.has(name, r.review(id, form), "Changes of the payload")
		form.Set("step", "apply")
		r.post(admin.Admin, "dead-letters/edit?id="+id, form, "&done=edit")
		if got := r.back(id); string(got.Bytes) != c.after || got.JSON != nil {
			t.Errorf("%s: %q went back, want %q", name, got.Bytes, c.after)
		}
	}
}

func TestAWrongEditKeepsWhatSomebodyTyped(t *testing.T) {
	r := newLetterRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	raw := r.die(outbox.Event{Type: "mail-requested", Bytes: []byte{0, 1}}, 1, driver.Failure{Error: "refused"})[0]
	for name, c := range map[string]struct {
		id, payload, headers, says string
	}{
		"no JSON":        {id, "{\r\n\"my\": typed\r\n}", "source: shop", "The payload is not JSON, in line 2"},
		"no header":      {id, `{"my":"typed"}`, "source: shop\r\nnonsense", "Headers, line 2"},
		"a header twice": {id, `{"my":"typed"}`, "a: 1\r\na: 2", "line 2: this name is there twice"},
		"an empty name":  {id, `{"my":"typed"}`, `"": 1`, "invalid event"},
		"no base64":      {raw, "typed!", "", "The payload is not base64"},
	} {
		for _, step := range []string{"review", "apply"} {
			if name == "an empty name" && step == "review" {
				continue // the API finds it
			}
			form := editForm(r.see(admin.Admin, "dead-letters/edit?id="+c.id))
			form.Set("payload", c.payload)
			form.Set("headers", c.headers)
			form.Set("step", step)
			p := r.send(admin.Admin, http.MethodPost, "dead-letters/edit?id="+c.id, form)
			if p.status != 422 {
				t.Errorf("%s, %s: status %d", name, step, p.status)
			}
			r.has(name, p.text, c.says, "typed", "Show the changes …", `role="alert"`)
			if got := editForm(p.text); got.Get("payload") != c.payload || got.Get("headers") != c.headers {
				t.Errorf("%s: the form has %q", name, got)
			}
		}
	}
	r.want("0 wait, 2 open, 0 resolved")
}

func TestALetterThatDiesAgainShowsWhatItSaidBefore(t *testing.T) {
	r := newLetterRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	was, _, err := r.store.GetDead(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r.hasNot("a letter that died once", r.see(admin.Viewer, "dead-letters/one?id="+id), "Earlier letters")
	if _, err := r.store.EditDead(t.Context(), was.Key(), driver.DeadEdit{JSON: []byte(`{"now":"mended"}`)}); err != nil {
		t.Fatal(err)
	}
	memkit.Settle(t, r.store, "order-placed", driver.Outcome{Kind: driver.Dead, Error: "refused again"}, true)
	text := r.see(admin.Viewer, "dead-letters/one?id="+id, "refused again", "mended", "Earlier letters of this event", "edited or resolved")
	_, earlier, _ := strings.Cut(text, `id="earlier"`)
	r.has("the earlier letter", earlier, "refused</pre>", "source", "shop")
	r.hasNot("the earlier letter", earlier, "mended", "refused again")
}

func TestALetterThatDiedAgainIsShownAnew(t *testing.T) {
	r := newLetterRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	form := editForm(r.see(admin.Admin, "dead-letters/edit?id="+id))
	form.Set("payload", `{"n":7}`)
	form.Set("step", "apply")
	form.Set("died", time.Now().Add(-time.Hour).UTC().Format(time.RFC3339Nano))
	p := r.send(admin.Admin, http.MethodPost, "dead-letters/edit?id="+id, form)
	if p.status != http.StatusConflict {
		t.Errorf("status %d: %s", p.status, p.text)
	}
	r.has("the review", p.text, "It has died again meanwhile", "Put back with these changes")
	r.want("0 wait, 1 open, 0 resolved")
}

func TestEditingIsForAdmins(t *testing.T) {
	r := newLetterRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	for _, role := range []admin.Role{admin.Viewer, admin.Operator} {
		r.refused(role, http.MethodGet, "dead-letters/edit?id="+id, nil, 403, "role")
		r.refused(role, http.MethodPost, "dead-letters/edit?id="+id, url.Values{"payload": {"1"}, "step": {"apply"}}, 403, "role")
	}
	r.refused(admin.Admin, http.MethodPost, "dead-letters/edit?id=nobody", url.Values{"payload": {"1"}}, 404, "No dead letter")
	r.want("0 wait, 1 open, 0 resolved")
}

func TestALargePayloadStaysWhileHeadersAreEdited(t *testing.T) {
	r := newLetterRig(t)
	large := `"` + strings.Repeat("x", 200<<10) + `"`
	id := r.die(outbox.Event{Type: "order-placed", JSON: []byte(large)}, 1, driver.Failure{Error: "refused"})[0]
	text := r.see(admin.Admin, "dead-letters/edit?id="+id, "too large to edit here")
	form := editForm(text)
	if form.Has("payload") {
		t.Error("the form has a field for the payload")
	}
	form.Set("headers", "fixed: yes")
	r.review(id, form)
	form.Set("step", "apply")
	r.post(admin.Admin, "dead-letters/edit?id="+id, form, "&done=edit")
	if got := r.back(id); string(got.JSON) != large || got.Headers["fixed"] != "yes" {
		t.Errorf("%d bytes with %v went back", len(got.JSON), got.Headers)
	}
	huge := editForm(r.see(admin.Admin, "dead-letters/edit?id="+r.kill("mail-requested", "refused", 1)[0]))
	huge.Set("payload", `"`+strings.Repeat("x", 600<<10)+`"`)
	r.refused(admin.Admin, http.MethodPost, "dead-letters/edit?id="+id, huge, 413, "too large")
	if p := r.sendParts(admin.Admin, "dead-letters/edit?id="+id, huge); p.status != 413 {
		t.Errorf("status %d, want 413", p.status)
	}
}
