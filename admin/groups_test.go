package admin_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

type wireGroups struct {
	Groups []admin.Group
	Next   string
}

// grouped kills events for three reasons of two types, and returns the groups.
func (r *rig) grouped() []admin.Group {
	r.t.Helper()
	for i := range 4 {
		r.kill("order-placed", fmt.Sprintf("gateway refused order %d", i), 1)
	}
	r.kill("order-placed", "no such customer", 2)
	r.kill("order-paid", "no such customer", 1)
	if n, err := r.store.GroupDead(r.t.Context(), 100); err != nil || n != 7 {
		r.t.Fatalf("%d grouped, error %v", n, err)
	}
	var page wireGroups
	r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/dead-letter-groups", ""), &page)
	if len(page.Groups) != 3 || page.Next != "" {
		r.t.Fatalf("%+v, want three groups", page)
	}
	return page.Groups
}

func TestLettersOfOneReasonAreOneGroup(t *testing.T) {
	r := newRig(t)
	for _, g := range r.grouped() {
		var page struct{ Letters []admin.Letter }
		r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/dead-letters?group="+g.ID, ""), &page)
		if len(page.Letters) != int(g.Open.N) || page.Letters[0].Type != g.Type || page.Letters[0].Group != g.ID {
			t.Errorf("%+v has %+v", g, page.Letters)
		}
		var one admin.Group
		if r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/dead-letter-groups/"+g.ID, ""), &one); one.Reason != g.Reason || one.State != driver.GroupNew {
			t.Errorf("%+v, want %+v", one, g)
		}
		if g.Open.N != 4 {
			continue
		}
		if j := r.run(admin.Operator, "retry", `{"filter":{"group":"`+g.ID+`"}}`); j.Applied != 4 || r.waiting() != 4 {
			t.Errorf("%+v, %d wait", j, r.waiting())
		}
	}
}

func TestPagesShowEachGroupOnce(t *testing.T) {
	r := newRig(t)
	want, seen := r.grouped(), []string{}
	for path := "/api/v1/dead-letter-groups?limit=2"; path != ""; {
		var page wireGroups
		r.want(http.StatusOK, r.send(admin.Viewer, "GET", path, ""), &page)
		for _, g := range page.Groups {
			seen = append(seen, g.ID)
		}
		if path = ""; page.Next != "" {
			path = "/api/v1/dead-letter-groups?limit=2&cursor=" + page.Next
		}
	}
	if len(seen) != 3 || seen[0] != want[0].ID || seen[2] != want[2].ID {
		t.Errorf("%v, want %+v", seen, want)
	}
}

func TestAGroupSaysWhoLooksAtIt(t *testing.T) {
	r := newRig(t)
	path := "/api/v1/dead-letter-groups/" + r.grouped()[0].ID
	var g admin.Group
	r.want(http.StatusOK, r.send(admin.Operator, "PUT", path+"/state", `{"state":"investigating","note":"the <b>bank</b>"}`), &g)
	if g.State != driver.GroupInvestigating || g.By != "olga" || g.Note != "the <b>bank</b>" || g.MarkedAt == nil || g.MutedUntil != nil {
		t.Errorf("%+v", g)
	}
	until := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	r.want(http.StatusOK, r.send(admin.Operator, "PUT", path+"/state", `{"state":"muted","muted_until":"`+until.Format(time.RFC3339)+`"}`), &g)
	if g.State != driver.GroupMuted || g.MutedUntil == nil || !g.MutedUntil.Equal(until) {
		t.Errorf("%+v, want it muted until %s", g, until)
	}
	for _, body := range []string{
		`{"state":"muted"}`, `{"state":"new","muted_until":"2030-01-01T00:00:00Z"}`, `{"state":"solved"}`, `{}`,
		`{"state":"muted","muted_until":"0001-01-01T00:00:00Z"}`, `{"state":"new","note":"\u0000"}`,
	} {
		if a := r.send(admin.Operator, "PUT", path+"/state", body); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", body, a.status, a.text)
		}
	}
	problem(t, "no group", r.send(admin.Operator, "PUT", "/api/v1/dead-letter-groups/none/state", `{"state":"new"}`), http.StatusNotFound)
	entries, _, err := r.store.ListAudit(t.Context(), driver.AuditFilter{}, 0, 10)
	if err != nil || len(entries) != 2 || entries[1].By != "olga" || entries[1].Action != driver.AuditMark {
		t.Errorf("%+v, error %v; want two entries", entries, err)
	}
}
