package console_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
)

func TestSelectedLettersAreChangedAfterAConfirmation(t *testing.T) {
	for action, want := range map[string]string{
		"retry":   "2 wait, 1 open, 0 resolved",
		"resolve": "0 wait, 1 open, 2 resolved",
		"delete":  "0 wait, 1 open, 0 resolved",
	} {
		r := newLetterRig(t)
		ids := r.kill("order-placed", "refused", 3)
		text := r.see(admin.Admin, "dead-letters/act?"+url.Values{"action": {action}, "id": {ids[0], ids[2], ids[0]}, "to": {"dead-letters/list?type=order-placed"}}.Encode(),
			"2 dead letters", ids[0][:13], "Note for the audit log")
		r.hasNot(action, text, "Rate limit, per second", "may have been delivered")
		if strings.Contains(text, "cannot be brought back") != (action == "delete") {
			t.Errorf("%s: the warning of a deletion is wrong", action)
		}
		r.want("0 wait, 3 open, 0 resolved")
		form := hidden(text)
		form.Set("note", "bank is back")
		r.post(admin.Admin, "dead-letters/act", form, "dead-letters/list?type=order-placed&done="+action+"&n=2")
		r.want(want)
		if got := r.audit(); !strings.HasPrefix(got, "anna ") || !strings.HasSuffix(got, `"bank is back"`) {
			t.Errorf("%s: %s in the audit log", action, got)
		}
		r.see(admin.Viewer, "dead-letters/list?done="+action+"&n=2", "2 ")
	}
}

func TestAGroupIsChangedByAJobThatWasCounted(t *testing.T) {
	r := newLetterRig(t)
	r.kill("order-placed", "refused", 3)
	r.kill("order-placed", "no such customer", 2)
	g := r.groups()[1]
	if g.Open.N != 3 {
		g = r.groups()[0]
	}
	text := r.see(admin.Operator, "dead-letters/act?action=retry&group="+g.ID, "Retry 3 dead letters?", g.Reason, "Rate limit, per second", "runs as a job")
	form := hidden(text)
	r.kill("order-placed", "refused", 4) // after the count
	form.Set("rate", "1000")
	form.Set("note", "fixed")
	r.act(admin.Operator, form)
	j := r.runJob()
	spec, err := job.SpecOf(j)
	if err != nil || spec.Action != job.Retry || spec.Filter.Group != g.ID || spec.Rate != 1000 || j.By != "olga" || j.Note != "fixed" || j.Matches.N != 3 || j.Applied != 3 {
		t.Errorf("%+v with %+v, error %v; want what was shown", j, spec, err)
	}
	r.want("3 wait, 6 open, 0 resolved")
}

func TestWhatAFilterMatchesIsChangedAndNothingElse(t *testing.T) {
	r := newLetterRig(t)
	r.kill("order-placed", "refused: 17", 3)
	r.kill("mail-requested", "refused: 18", 2)
	list := r.see(admin.Admin, "dead-letters/list?type=order-placed&payload="+url.QueryEscape("$.n=1"), "Everything that matches:", "action=delete")
	if !strings.Contains(list, "action=delete&amp;payload=%24.n%3D1") || strings.Contains(list, "all=1") {
		t.Error("the link does not have the filter of the list")
	}
	text := r.see(admin.Admin, "dead-letters/act?action=delete&type=order-placed&payload="+url.QueryEscape("$.n=1"), "Delete one dead letter for good?", "order-placed", "$.n=1", "cannot be brought back")
	r.act(admin.Admin, hidden(text))
	r.runJob()
	r.want("0 wait, 4 open, 0 resolved")
}

// act starts a job with a form.
func (r *letterRig) act(role admin.Role, form url.Values) {
	r.t.Helper()
	p := r.send(role, http.MethodPost, "dead-letters/act", form)
	j, says := r.lastJob(), "start"
	if j.State == driver.JobWaiting {
		says = "ask"
	}
	if p.status != http.StatusSeeOther || p.location != "../jobs/one?id="+j.ID+"&done="+says {
		r.t.Fatalf("status %d to %q: %s", p.status, p.location, p.text)
	}
}

func TestEverythingHasToBeAskedFor(t *testing.T) {
	r := newLetterRig(t)
	ids := r.kill("order-placed", "refused", 2)
	r.kill("mail-requested", "no template", 1)
	for query, says := range map[string]string{
		"action=retry":                            "Nothing is selected",
		"action=retry&all=yes":                    "Nothing is selected",
		"action=retry&type=":                      "Nothing is selected",
		"action=retry&all=1&type=order-placed":    "not several",
		"action=retry&all=1&id=" + ids[0]:         "not several",
		"action=retry&resolved=true&all=1":        "only be changed while it is open",
		"action=retry&resolved=true&type=x":       "only be changed while it is open",
		"action=burn&all=1":                       "no such action",
		"action=retry&type=x&until=yesterday":     "not readable",
		"action=retry&type=x&died_after=tomorrow": "not readable",
	} {
		form, _ := url.ParseQuery(query)
		r.refused(admin.Admin, http.MethodGet, "dead-letters/act?"+query, nil, 422, says)
		r.refused(admin.Admin, http.MethodPost, "dead-letters/act", form, 422, says)
	}
	r.want("0 wait, 3 open, 0 resolved")
	r.see(admin.Admin, "dead-letters/list", "all=1")
	text := r.see(admin.Operator, "dead-letters/act?action=resolve&all=1", "Resolve 3 dead letters?", "every open dead letter")
	r.act(admin.Operator, hidden(text))
	r.runJob()
	r.want("0 wait, 0 open, 3 resolved")
	r.see(admin.Operator, "dead-letters/act?action=resolve&all=1", "Nothing to do")
	text = r.see(admin.Admin, "dead-letters/list?resolved=true", ids[0][:13], `value="retry" data-needs-selection`)
	r.hasNot("resolved letters", text, `value="resolve" data-needs-selection`, "all=1")
}

func TestLettersThatMayHaveBeenDeliveredAreWarnedOf(t *testing.T) {
	r := newLetterRig(t)
	r.kill("order-placed", "refused", 2)
	id := r.die(outbox.Event{Type: "order-placed"}, 1, driver.Failure{Error: "refused", Maybe: true})[0]
	r.see(admin.Operator, "dead-letters/act?action=retry&type=order-placed", "1 of the 3 that were looked at may have been delivered.", "may get them twice")
	r.see(admin.Operator, "dead-letters/act?action=retry&id="+id, "1 of the 1 that were looked at may have been delivered.")
}

func TestASecondPersonIsAskedForConsent(t *testing.T) {
	r := newLetterRig(t, func(c *console.Config) { c.API.ConsentOver = 2 })
	r.kill("order-placed", "refused", 3)
	r.kill("mail-requested", "refused", 2)
	r.hasNot("two letters", r.see(admin.Operator, "dead-letters/act?action=retry&type=mail-requested"), "a second person")
	text := r.see(admin.Operator, "dead-letters/act?action=retry&type=order-placed", "This is more than 2: it waits until a second person allows it")
	r.act(admin.Operator, hidden(text))
	if j := r.lastJob(); j.State != driver.JobWaiting {
		t.Errorf("%+v does not wait", j)
	}
	r.want("0 wait, 5 open, 0 resolved")
}

func TestActionsAreForThoseWhoMay(t *testing.T) {
	r := newLetterRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	for _, action := range []string{"retry", "resolve", "delete"} {
		for _, on := range []url.Values{{"id": {id}}, {"type": {"order-placed"}}, {"all": {"1"}}} {
			on.Set("action", action)
			r.refused(admin.Viewer, http.MethodGet, "dead-letters/act?"+on.Encode(), nil, 403, "role")
			r.refused(admin.Viewer, http.MethodPost, "dead-letters/act", on, 403, "role")
			if action == "delete" {
				r.refused(admin.Operator, http.MethodGet, "dead-letters/act?"+on.Encode(), nil, 403, "role")
				r.refused(admin.Operator, http.MethodPost, "dead-letters/act", on, 403, "role")
			}
		}
	}
	r.want("0 wait, 1 open, 0 resolved")
}

func TestWhatWasLeftOrGoneIsSaid(t *testing.T) {
	r := newLetterRig(t)
	ids := r.kill("order-placed", "refused", 2)
	r.post(admin.Operator, "dead-letters/act", url.Values{"action": {"retry"}, "id": {ids[0]}}, "done=retry&n=1")
	r.see(admin.Operator, "dead-letters/act?"+url.Values{"action": {"retry"}, "id": ids}.Encode(), "Retry one dead letter?")
	r.post(admin.Operator, "dead-letters/act", url.Values{"action": {"retry"}, "id": ids}, "done=retry&n=1&gone=1")
	r.see(admin.Operator, "dead-letters/act?action=retry&id="+ids[0], "Nothing to do")
	r.see(admin.Viewer, "dead-letters/list?done=retry&n=1&gone=1&left=2", "1 put back into the outbox. 2 left as before", "1 gone already.")
}

func TestAWrongRateIsShownAtTheFormThatKeepsTheNote(t *testing.T) {
	r := newLetterRig(t)
	r.kill("order-placed", "refused", 1)
	for _, rate := range []string{"many", "-1", "1000000"} {
		p := r.send(admin.Operator, http.MethodPost, "dead-letters/act", url.Values{"action": {"retry"}, "type": {"order-placed"}, "rate": {rate}, "note": {"my reason"}})
		if p.status != 422 {
			t.Errorf("%s: status %d", rate, p.status)
		}
		r.has(rate, p.text, "my reason", "Retry one dead letter?", `role="alert"`)
	}
	many := url.Values{"action": {"retry"}}
	for i := range 1001 {
		many.Add("id", fmt.Sprintf("id-%d", i))
	}
	r.refused(admin.Operator, http.MethodPost, "dead-letters/act", many, 400, "More than 1000 ids")
	r.want("0 wait, 1 open, 0 resolved")
}

func TestADialogFitsThePageThatOpensIt(t *testing.T) {
	r := newLetterRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	for at, action := range map[string]string{"./": "./", "../../": "../../", "": "../", "https://x.example/": "../", "/x/": "../"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.server.URL+"/x/console/dead-letters/act?action=retry&id="+id, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer admin")
		req.Header.Set("Hx-Request", "true")
		req.Header.Set("Outbox-Root", at)
		p := r.sent(req)
		r.has(at, p.text, `<div class="dialog">`, `action="`+action+`dead-letters/act"`)
		r.hasNot(at, p.text, "<nav")
	}
}
