package console

import (
	"net/http"
	"strconv"

	"github.com/sendoff-go/outbox/admin"
)

type auditView struct {
	Filter  listFilter
	Actions []string // to choose from
	Entries []admin.AuditEntry
	Next    string
	Short   bool // it has looked at as many entries as it may, and there are more
	First   bool
}

func auditFilterOf(r *http.Request) listFilter {
	return listFilterOf(r.URL.Query(), []string{"by", "action", "job"}, []string{"acted_after", "acted_before"})
}

// auditPage is a page of who changed what.
func (c *Console) auditPage(k *caller, r *http.Request) (*view, error) {
	const limit = 50
	before := r.URL.Query().Get("before")
	d := auditView{Filter: auditFilterOf(r), Actions: admin.AuditActions(), First: before == ""}
	q, err := d.Filter.api("before", before, "limit", itoa(limit))
	var p admin.AuditPage
	if err == nil {
		err = k.get("/api/v1/audit", q, &p)
	}
	if d.Entries = p.Entries; p.Next != 0 {
		d.Next, d.Short = strconv.FormatInt(p.Next, 10), len(p.Entries) < limit
	}
	v := &view{Screen: "audit", Title: "Audit", Data: d}
	return v, v.correctable(err)
}

// auditCSV is the same for a spreadsheet, the last 1000.
func (c *Console) auditCSV(w http.ResponseWriter, r *http.Request) {
	p, ok := c.person(w, r)
	if !ok {
		return
	}
	q, err := auditFilterOf(r).api("limit", "1000")
	var text []byte
	if err == nil {
		text, err = c.caller(r.Context(), p).raw(http.MethodGet, "/api/v1/audit.csv?"+q.Encode(), nil)
	}
	if err != nil {
		c.fail(w, r, p, err)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="outbox-audit.csv"`)
	_, _ = w.Write(text) // the client has gone
}
