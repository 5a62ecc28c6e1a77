package admin

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
)

// audit registers what concerns the audit log.
func (a *api) audit(h huma.API) {
	operation(a, h, Viewer, http.MethodGet, "/api/v1/audit", "list-audit", "List who changed what, latest first", a.listAudit)
	operation(a, h, Viewer, http.MethodGet, "/api/v1/audit.csv", "export-audit", "Export who changed what as CSV, latest first", a.exportAudit)
}

type auditInput struct {
	By          string    `query:"by" maxLength:"255" doc:"Who did it: the name of a person or a token."`
	Action      string    `query:"action" enum:"retry,replay,edit,resolve,delete,pause,resume,pause-destination,resume-destination,mark,mute,unmute,note,erase,job,consent,cancel,job end"`
	Job         string    `query:"job" maxLength:"36" doc:"The id of a job: its start and end, the decisions about it, and the changes of its batches."`
	ActedAfter  time.Time `query:"acted_after"`
	ActedBefore time.Time `query:"acted_before"`
	Before      int64     `query:"before" minimum:"0" doc:"Entries with a lower id: the next of the previous page. 0: from the latest on."`
	Limit       int       `query:"limit" minimum:"1" maximum:"1000" default:"50"`
}

// filter refuses values that some databases cannot compare with.
func (in *auditInput) filter() (driver.AuditFilter, error) {
	f := driver.AuditFilter{By: in.By, Action: driver.AuditAction(in.Action), Job: in.Job, After: in.ActedAfter, Before: in.ActedBefore}
	if err := checkTimes("acted_after", f.After, "acted_before", f.Before); err != nil {
		return f, err
	}
	return f, errors.Join(checkText("by", f.By), checkText("job", f.Job))
}

// AuditPage is a page of the audit log.
type AuditPage struct {
	Entries []AuditEntry `json:"entries"`
	Next    int64        `json:"next,omitempty" doc:"The before of the next page. Absent on the last. With a filter, a page looks at 2,500 entries, and may be short or empty and still have a next one."`
}

func (a *api) listAudit(ctx context.Context, in *auditInput) (*body[AuditPage], error) {
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	entries, next, err := a.Store.ListAudit(ctx, f, in.Before, in.Limit)
	if err != nil {
		return nil, err
	}
	return &body[AuditPage]{AuditPage{AuditOf(entries), next}}, nil
}

type csvOutput struct {
	ContentType string `header:"Content-Type"`
	Link        string `header:"Link" doc:"The next page, as rel=next. Absent on the last. With a filter, a page looks at 50,000 entries."`
	Body        []byte `contentType:"text/csv"`
}

// csvPages is how many pages of the list an export has at most.
const csvPages = 20

func (a *api) exportAudit(ctx context.Context, in *auditInput) (*csvOutput, error) {
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	var all []driver.AuditEntry
	next := in.Before
	for range csvPages {
		var some []driver.AuditEntry
		if some, next, err = a.Store.ListAudit(ctx, f, next, in.Limit-len(all)); err != nil {
			return nil, err
		}
		if all = append(all, some...); next == 0 || len(all) >= in.Limit {
			break
		}
	}
	var text bytes.Buffer
	err = WriteAuditCSV(&text, AuditOf(all))
	out := &csvOutput{ContentType: "text/csv; charset=utf-8", Body: text.Bytes()}
	if next != 0 {
		out.Link = "<?" + in.from(next).Encode() + `>; rel="next"`
	}
	return out, err
}

// from is the query of another page.
func (in *auditInput) from(before int64) url.Values {
	q := url.Values{"before": {strconv.FormatInt(before, 10)}, "limit": {strconv.Itoa(in.Limit)}}
	for name, text := range map[string]string{"by": in.By, "action": in.Action, "job": in.Job} {
		if text != "" {
			q.Set(name, text)
		}
	}
	for name, at := range map[string]time.Time{"acted_after": in.ActedAfter, "acted_before": in.ActedBefore} {
		if !at.IsZero() {
			q.Set(name, at.Format(time.RFC3339Nano))
		}
	}
	return q
}
