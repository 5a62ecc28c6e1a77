package admin_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestAListOfEventsShowsPayloadsToWhomItMay(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.HidePayloads, c.Mask = true, []string{"pin", "secret"} })
	w := outbox.NewWriter(r.store)
	if err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.WriteAll(ctx, tx,
			outbox.Event{Type: "a", JSON: []byte(`{"n":1,"pin":"quince"}`), Headers: map[string]string{"secret": "medlar", "k": "v"}},
			outbox.Event{Type: "a", Bytes: []byte{}})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		role     admin.Role
		has, not []string
	}{
		{admin.Viewer, nil, []string{"payload", "headers", "quince", "medlar"}},
		{admin.Operator, []string{`{\"n\":1,\"pin\":\"***\"}`, `"k":"v"`, `"secret":"***"`}, []string{"quince", "medlar"}},
		{admin.Admin, []string{`{\"n\":1,\"pin\":\"quince\"}`, `"secret":"medlar"`, `"payload_bytes":""`}, []string{"***", `"payload_bytes":null`}},
	} {
		a := r.send(c.role, "GET", "/api/v1/events?payloads=true", "")
		r.want(http.StatusOK, a, nil)
		for _, text := range c.has {
			if !strings.Contains(a.text, text) {
				t.Errorf("%s does not see %s: %s", c.role, text, a.text)
			}
		}
		for _, text := range c.not {
			if strings.Contains(a.text, text) {
				t.Errorf("%s sees %s: %s", c.role, text, a.text)
			}
		}
		if a := r.send(c.role, "GET", "/api/v1/events", ""); strings.Contains(a.text, `"payload`) || strings.Contains(a.text, `"headers"`) {
			t.Errorf("%s sees a payload without asking: %s", c.role, a.text)
		}
	}
}

func TestAListOfLettersCountsWhatMatches(t *testing.T) {
	r := newRig(t)
	r.kill("a", "refused", 3)
	r.kill("b", "refused", 2)
	var page struct {
		Letters []admin.Letter
		Matches *admin.Count
	}
	r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/dead-letters?type=a&limit=1&count=true", ""), &page)
	if len(page.Letters) != 1 || page.Matches == nil || *page.Matches != (admin.Count{N: 3}) {
		t.Errorf("got %d letters of %v, want 1 of 3", len(page.Letters), page.Matches)
	}
	page.Matches = nil
	r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/dead-letters", ""), &page)
	if page.Matches != nil {
		t.Errorf("nobody asked for a count: %v", page.Matches)
	}
}
