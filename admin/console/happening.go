package console

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// happening is an entry of the timeline.
type happening struct {
	At   time.Time
	Kind string // "good", "bad", "person" or "": the colour of its mark
	Text string // to be translated, with %s for each of Args
	Args []any  // words and alerts are translated too
	Link string // relative to the top; "": none
}

// entry is a happening on a page.
type entry struct {
	happening
	Key string // the same each time that it is shown, also when its text has changed
}

// entriesOf gives happenings their keys.
func entriesOf(all []happening) []entry {
	out, seen := make([]entry, len(all)), map[string]int{}
	for i, h := range all {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(h.Text)) // never fails
		key := fmt.Sprintf("at-%d-%x", h.At.UnixNano(), sum.Sum32())
		if seen[key]++; seen[key] > 1 {
			key = fmt.Sprint(key, "-", seen[key])
		}
		out[i] = entry{h, key}
	}
	return out
}

// word is one of the console's own.
type word string

// alerted is what an alert says.
type alerted string

// maxSeen is how many happenings are kept that no table has.
const maxSeen = 200

// happened notes what only a comparison of two states shows. The caller holds the
// lock.
func (r *recorder) happened(before, now admin.Status, at time.Time) {
	note := func(kind, text, link string, args ...any) {
		r.seen = append(r.seen, happening{at, kind, text, args, link})
		if len(r.seen) > maxSeen {
			r.seen = slices.Delete(r.seen, 0, len(r.seen)-maxSeen)
		}
	}
	was := map[string]admin.Relay{}
	for _, in := range before.Relays {
		was[in.Owner] = in
	}
	for _, in := range now.Relays {
		delete(was, in.Owner)
	}
	for owner := range was {
		note("", "Relay %s stopped, or is silent", "instances", name(owner))
	}
	down := map[string]admin.Destination{}
	for _, d := range before.Destinations {
		if d.DownSince != nil {
			down[d.Name] = d
		}
	}
	for _, d := range now.Destinations {
		old, was := down[d.Name]
		switch {
		case d.DownSince != nil && !was:
			note("bad", "%s is down: %s", "destinations", d.Name, short(d.Reason, 120))
		case d.DownSince == nil && was:
			note("good", "%s is back after %s", "destinations", d.Name, at.Sub(*old.DownSince))
		}
	}
}

// name is the part of a relay's name that a person gave it.
func name(owner string) string {
	if i := strings.LastIndexByte(owner, '/'); i > 0 {
		return owner[:i]
	}
	return owner
}

// joinedWithin is how far apart the parts of one change may be.
const joinedWithin = time.Minute

// joined makes one entry of the batches of a job, and of what a person did one after
// the other with the same words. They are the latest first; the time is that of the
// earliest. The starts and ends of jobs are left out, since the jobs say it better.
func joined(entries []admin.AuditEntry) (out []admin.AuditEntry) {
	for _, e := range entries {
		if strings.HasPrefix(e.Action, string(driver.AuditJob)) {
			continue
		}
		i := len(out) - 1
		if e.Job != "" { // others may have acted between its batches
			i = slices.IndexFunc(out, func(o admin.AuditEntry) bool { return o.Job == e.Job })
		}
		if i >= 0 {
			if o := &out[i]; e.Job != "" || e.Job == o.Job && e.Action == o.Action && e.By == o.By && e.Note == o.Note && o.At.Sub(e.At) <= joinedWithin {
				o.At, o.Subjects = e.At, append(slices.Clip(o.Subjects), e.Subjects...)
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

// timeline puts together what the system and people did, latest first.
func (c *Console) timeline(k *caller, most int) ([]entry, error) {
	r := c.recorder
	r.mu.Lock()
	all := slices.Clone(r.seen)
	for _, in := range r.last.Relays {
		all = append(all, happening{in.StartedAt, "good", "Relay %s started, version %s", []any{name(in.Owner), cmp.Or(in.Version, "–")}, "instances"})
	}
	r.mu.Unlock()
	var audit admin.AuditPage
	if err := k.get("/api/v1/audit", values("limit", itoa(most)), &audit); err != nil {
		return nil, err
	}
	for _, e := range joined(audit.Entries) {
		what := strings.Join(e.Subjects, ", ")
		if len(e.Subjects) > 3 {
			all = append(all, happening{e.At, "person", "%s of %s rows by %s", []any{word(e.Action), number(len(e.Subjects)), e.By}, "audit"})
			continue
		}
		all = append(all, happening{e.At, "person", "%s by %s: %s", []any{word(e.Action), e.By, short(what, 80)}, "audit"})
	}
	var alerts admin.AlertList
	if err := k.get("/api/v1/alerts", values("limit", itoa(most)), &alerts); err != nil {
		return nil, err
	}
	for _, a := range alerts.Alerts {
		all = append(all, happening{a.RaisedAt, "bad", "Alert: %s", []any{alerted(a.Text)}, "alerts"})
		if a.ResolvedAt != nil {
			all = append(all, happening{*a.ResolvedAt, "good", "Over: %s", []any{alerted(a.Text)}, "alerts"})
		}
	}
	var jobs admin.JobPage
	if err := k.get("/api/v1/jobs", values("limit", "20"), &jobs); err != nil {
		return nil, err
	}
	for _, j := range jobs.Jobs {
		all = append(all, jobHappened(j)...)
	}
	slices.SortStableFunc(all, func(a, b happening) int { return b.At.Compare(a.At) })
	return entriesOf(all[:min(len(all), most)]), nil
}
