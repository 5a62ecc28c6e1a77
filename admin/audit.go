package admin

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
)

// AuditEntry is one change on the wire.
type AuditEntry struct {
	ID       int64     `json:"id"`
	At       time.Time `json:"at"`
	By       string    `json:"by"`
	Action   string    `json:"action" enum:"retry,replay,edit,resolve,delete,pause,resume,pause-destination,resume-destination,mark,mute,unmute,note,erase,job,consent,cancel,job end"`
	Subjects []string  `json:"subjects" doc:"The ids of the dead letters or events, the event type, the destination, the group, the alert, or the job and what it does."`
	Rows     int64     `json:"rows" doc:"How many dead letters or events it changed."`
	Note     string    `json:"note"`
}

// AuditOf returns entries as they go over the wire.
func AuditOf(entries []driver.AuditEntry) []AuditEntry {
	out := make([]AuditEntry, len(entries))
	for i, e := range entries {
		out[i] = AuditEntry{e.ID, e.At, e.By, string(e.Action), e.Subjects, e.Rows(), e.Note}
	}
	return out
}

// WriteAuditCSV writes entries as CSV, with a heading.
func WriteAuditCSV(w io.Writer, entries []AuditEntry) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"id", "at", "by", "action", "rows", "subjects", "note"}) // Error says what went wrong
	for _, e := range entries {
		_ = out.Write([]string{strconv.FormatInt(e.ID, 10), e.At.UTC().Format(time.RFC3339Nano), plain(e.By), e.Action,
			strconv.FormatInt(e.Rows, 10), plain(listed(e.Subjects)), plain(e.Note)})
	}
	out.Flush()
	return out.Error()
}

// listed writes subjects as a JSON array: ids may have any character.
func listed(subjects []string) string {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	_ = e.Encode(subjects) // strings have no error
	return strings.TrimSpace(text.String())
}

// plain keeps a spreadsheet from taking what somebody wrote for a formula.
func plain(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// audit registers what concerns the audit log.
func (a *api) audit(h huma.API) {
	operation(a, h, Viewer, http.MethodGet, "/api/v1/audit", "list-audit", "List who changed what, latest first", a.listAudit)
	operation(a, h, Viewer, http.MethodGet, "/api/v1/audit.csv", "export-audit", "Export who changed what as CSV, latest first", a.exportAudit)
}

type auditInput struct {
	Before int64 `query:"before" minimum:"0" doc:"Entries with a lower id. 0: from the latest on."`
	Limit  int   `query:"limit" minimum:"1" maximum:"1000" default:"50"`
}

// AuditPage is a page of the audit log.
type AuditPage struct {
	Entries []AuditEntry `json:"entries"`
}

func (a *api) listAudit(ctx context.Context, in *auditInput) (*body[AuditPage], error) {
	entries, err := a.Store.ListAudit(ctx, in.Before, in.Limit)
	if err != nil {
		return nil, err
	}
	return &body[AuditPage]{AuditPage{AuditOf(entries)}}, nil
}

type csvOutput struct {
	ContentType string `header:"Content-Type"`
	Body        []byte `contentType:"text/csv"`
}

func (a *api) exportAudit(ctx context.Context, in *auditInput) (*csvOutput, error) {
	entries, err := a.Store.ListAudit(ctx, in.Before, in.Limit)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = WriteAuditCSV(&out, AuditOf(entries))
	return &csvOutput{ContentType: "text/csv; charset=utf-8", Body: out.Bytes()}, err
}
