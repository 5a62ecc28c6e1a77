package console

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// actView is what somebody is about to do with dead letters: those of some ids, those
// that a filter matches, or all of them.
type actView struct {
	Action string
	IDs    []string
	Filter letterFilter
	All    bool
	Until  time.Time // those that died before: nothing is done to letters that nobody counted
	To     string
	Note   string
	Rate   string

	// Found out by prepare:
	Group   *admin.Group
	Letters []admin.Letter // some of them
	Matches admin.Count
	Maybe   int // of Letters may have been delivered
	Consent int64
}

// actOf reads an action from an address or a form. Everything has to be asked for.
func actOf(q url.Values) (d actView, err error) {
	wrong := func(text string) (actView, error) { return d, &refusal{http.StatusUnprocessableEntity, text} }
	d = actView{Action: q.Get("action"), All: q.Get("all") == "1", Note: strings.TrimSpace(lines(q.Get("note"))), Rate: q.Get("rate")}
	for _, id := range q["id"] {
		if !slices.Contains(d.IDs, id) {
			d.IDs = append(d.IDs, id)
		}
	}
	if d.Filter, err = letterFilterOf(q); err != nil {
		return d, err
	}
	if d.Until, err = parseTime(q.Get("until")); err != nil {
		return d, err
	}
	d.To = back(q.Get("to"), "dead-letters/list")
	ways := 0
	for _, way := range []bool{len(d.IDs) > 0, d.Filter.Narrows(), d.All} {
		if way {
			ways++
		}
	}
	switch {
	case d.Action != "retry" && d.Action != "resolve" && d.Action != "delete":
		return wrong("There is no such action: use retry, resolve or delete.")
	case ways == 0:
		return wrong("Nothing is selected: tick letters, or filter them, first.")
	case ways > 1:
		return wrong("Name letters, or a filter, or everything, and not several of them.")
	case d.Filter.Resolved && len(d.IDs) == 0:
		return wrong("What a filter matches can only be changed while it is open: tick resolved letters one by one.")
	}
	return d, nil
}

// bounded is the filter for what was there when it was counted.
func (d *actView) bounded() letterFilter {
	f := d.Filter
	if !d.Until.IsZero() && (f.Before.IsZero() || f.Before.After(d.Until)) {
		f.Before = d.Until
	}
	return f
}

// start asks for the job, or only counts.
func (d *actView) start(k *caller, dry bool) (out admin.StartedJob, err error) {
	body := map[string]any{"note": d.Note, "dry_run": dry}
	if f := d.bounded(); f.Narrows() {
		body["filter"] = f.job()
	} else {
		body["all"] = true
	}
	if d.Rate != "" {
		rate, err := strconv.Atoi(d.Rate)
		if err != nil {
			return out, &refusal{http.StatusUnprocessableEntity, "The rate is not a number: leave it empty for no limit."}
		}
		body["rate"] = rate
	}
	return out, k.call(http.MethodPost, "/api/v1/jobs/"+d.Action, body, &out)
}

// Needs reports whether a second person has to agree.
func (d *actView) Needs() bool {
	return d.Consent > 0 && len(d.IDs) == 0 && (d.Matches.N > d.Consent || d.Matches.More)
}

// actPage asks for confirmation, and says what the action would do.
func (c *Console) actPage(k *caller, r *http.Request) (*view, error) {
	d, err := actOf(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return c.confirm(k, d)
}

// confirm shows what would be changed. A form has the same filter and bound.
func (c *Console) confirm(k *caller, d actView) (*view, error) {
	role := admin.Operator
	if d.Action == "delete" {
		role = admin.Admin
	}
	if err := atLeast(k, role); err != nil {
		return nil, err
	}
	if err := d.prepare(k); err != nil {
		return nil, err
	}
	d.Consent = c.cfg.API.ConsentOver
	titles := map[string]string{"retry": "Retry dead letters", "resolve": "Resolve dead letters", "delete": "Delete dead letters"}
	return &view{Screen: "act", Nav: "letters", Title: titles[d.Action], Data: &d, NotLive: true}, nil
}

// act carries out an action. A refusal is shown on the page that asked for it.
func (c *Console) act(k *caller, r *http.Request) (*view, error) {
	if err := r.ParseForm(); err != nil {
		return nil, &refusal{http.StatusRequestEntityTooLarge, "This form is too large, or not a form."}
	}
	d, err := actOf(r.PostForm)
	if err != nil {
		return nil, err
	}
	to, err := d.carryOut(k)
	var no *refusal
	if errors.As(err, &no) && no.status < http.StatusInternalServerError && no.status != http.StatusForbidden {
		d.Rate = "" // it may be what is wrong
		v, err := c.confirm(k, d)
		if err != nil {
			return nil, err
		}
		v.Problem, v.Status = no.detail, no.status
		return v, nil
	}
	return &view{To: to}, err
}

// carryOut carries an action out, and returns the page to show next.
func (d *actView) carryOut(k *caller) (to string, err error) {
	if len(d.IDs) == 0 {
		started, err := d.start(k, false)
		if err != nil {
			return "", err
		}
		return startedAt(started.Job), nil
	}
	var report admin.ActReport
	if err := k.call(http.MethodPost, "/api/v1/dead-letters/"+d.Action, map[string]any{"ids": d.IDs, "note": d.Note}, &report); err != nil {
		return "", err
	}
	to = done(d.To, d.Action, report.Applied)
	for name, n := range map[string]int64{"left": report.Conflicts, "gone": report.Gone} {
		if n > 0 {
			to += "&" + name + "=" + strconv.FormatInt(n, 10)
		}
	}
	return to, nil
}
