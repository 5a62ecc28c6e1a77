package console_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/sendoff-go/outbox/admin"
)

func TestTheTimelineSaysWhatJobsAndPeopleDid(t *testing.T) {
	r := newLetterRig(t)
	ids := r.kill("order-placed", "refused", 9)
	r.post(admin.Operator, "dead-letters/act", url.Values{"action": {"resolve"}, "id": ids[:5]}, "done=resolve&n=5")
	r.send(admin.Operator, http.MethodPost, "dead-letters/act", url.Values{"action": {"retry"}, "type": {"order-placed"}})
	id := r.lastJob().ID
	text := r.see(admin.Viewer, "timeline", "resolve of 5 rows by olga", "Job retry started by olga", `href="./jobs/one?id=`+id)
	r.hasNot("the timeline", text, "is done", "filter")
	r.runJob()
	r.has("the overview", r.see(admin.Viewer, ""), "Job retry is done: 4 rows changed")
	r.send(admin.Operator, http.MethodPost, "dead-letters/act", url.Values{"action": {"retry"}, "all": {"1"}})
	if p := r.send(admin.Operator, http.MethodPost, "jobs/cancel?id="+r.lastJob().ID, url.Values{}); p.status != http.StatusSeeOther {
		t.Fatalf("cancel: %d %s", p.status, p.text)
	}
	r.see(admin.Viewer, "timeline", "Job retry was cancelled after 0 rows")
}
