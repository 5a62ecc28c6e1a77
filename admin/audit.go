package admin

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

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
	Job      string    `json:"job,omitempty" doc:"The id of the job that it is about, or whose batch made the change. Absent if a person made it at once."`
}

// AuditActions are the actions of entries, as a filter takes them.
func AuditActions() []string {
	return []string{"retry", "replay", "edit", "resolve", "delete", "pause", "resume", "pause-destination", "resume-destination",
		"mark", "mute", "unmute", "note", "erase", "job", "consent", "cancel", "job end"}
}

// AuditOf returns entries as they go over the wire.
func AuditOf(entries []driver.AuditEntry) []AuditEntry {
	out := make([]AuditEntry, len(entries))
	for i, e := range entries {
		out[i] = AuditEntry{e.ID, e.At, e.By, string(e.Action), e.Subjects, e.Rows(), e.Note, e.Job}
	}
	return out
}

// WriteAuditCSV writes entries as CSV, with a heading.
func WriteAuditCSV(w io.Writer, entries []AuditEntry) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"id", "at", "by", "action", "rows", "subjects", "note", "job"}) // Error says what went wrong
	for _, e := range entries {
		_ = out.Write([]string{strconv.FormatInt(e.ID, 10), e.At.UTC().Format(time.RFC3339Nano), plain(e.By), e.Action,
			strconv.FormatInt(e.Rows, 10), plain(listed(e.Subjects)), plain(e.Note), plain(e.Job)})
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
