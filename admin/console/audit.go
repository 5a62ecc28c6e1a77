package console

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/sendoff-go/outbox/admin"
)

type auditView struct {
	Entries []admin.AuditEntry
	Next    string
}

// auditPage is a page of who changed what.
func (c *Console) auditPage(k *caller, r *http.Request) (*view, error) {
	const limit = 50
	var p admin.AuditPage
	if err := k.get("/api/v1/audit", values("before", r.URL.Query().Get("before"), "limit", itoa(limit)), &p); err != nil {
		return nil, err
	}
	d := auditView{Entries: p.Entries}
	if n := len(p.Entries); n == limit {
		d.Next = strconv.FormatInt(p.Entries[n-1].ID, 10)
	}
	return &view{Screen: "audit", Title: "Audit", Data: d}, nil
}

// auditCSV is the same for a spreadsheet, the last 1000.
func (c *Console) auditCSV(w http.ResponseWriter, r *http.Request) {
	p, ok := c.person(w, r)
	if !ok {
		return
	}
	text, err := c.caller(r.Context(), p).raw(http.MethodGet, "/api/v1/audit.csv?"+url.Values{"limit": {"1000"}}.Encode(), nil)
	if err != nil {
		c.fail(w, r, p, err)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="outbox-audit.csv"`)
	_, _ = w.Write(text) // the client has gone
}
