package sqlstore

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// audit notes a change in the transaction that makes it. job is the id of the job
// that it is about or that makes it, "" for none.
func (s *Session) audit(ctx context.Context, a driver.Act, action driver.AuditAction, job string, subjects []string) error {
	text, err := json.Marshal(subjects)
	if err != nil {
		return err
	}
	text = append([]byte(ofJob(job)), text...)
	if job != "" {
		text = append(text, '}')
	}
	_, err = s.Exec(ctx, s.Queries.AuditAdd, nil, driver.CleanText(a.By, maxActor), string(action), string(text), driver.CleanText(a.Note, driver.MaxErrorLength))
	return err
}

// maxActor is the length of the column, in characters.
const maxActor = 255

// ofJob is how the subjects of a job's entries begin: with the job, before the
// array that other entries are. A search for a job compares no more than this.
func ofJob(job string) string {
	if job == "" {
		return ""
	}
	id, _ := json.Marshal(job) // strings have no error
	return `{"job":` + string(id) + `,"subjects":`
}

// ListAudit implements [driver.AuditStore].
func (s *Engine) ListAudit(ctx context.Context, f driver.AuditFilter, before int64, limit int) (entries []driver.AuditEntry, next int64, err error) {
	if limit <= 0 {
		return nil, 0, nil
	}
	limit = min(limit, math.MaxInt32-1)
	if before == 0 {
		before = math.MaxInt64
	}
	filtered := f != driver.AuditFilter{}
	c := s.personCall("list the audit log", func(ctx context.Context, session *Session) (err error) {
		if next = 0; filtered {
			rows, err := session.Query(ctx, s.queries.AuditSearchEnd, nil, before, int64(searched-1))
			if next, err = firstOf(rows, err, scanValue[int64]); err != nil {
				return err
			}
		}
		rows, err := session.Query(ctx, s.queries.AuditList, nil, f.By, string(f.Action), ofJob(f.Job), timeOrNull(f.After), earlier(f.Before),
			before, next, stored.AtMost(limit+1))
		entries, err = collect(rows, err, scanEntry)
		return err
	})
	if !filtered {
		c = c.single()
	}
	if err := s.run(ctx, c); err != nil {
		return nil, 0, err
	}
	if len(entries) > limit {
		entries = entries[:limit]
		next = entries[limit-1].ID
	}
	return entries, next, nil
}

// firstOf is the first value of the rows, or the zero value if there are none.
func firstOf[T any](rows Rows, err error, scan func(Rows) (T, error)) (first T, _ error) {
	all, err := collect(rows, err, scan)
	if err == nil && len(all) > 0 {
		first = all[0]
	}
	return first, err
}

func scanEntry(rows Rows) (e driver.AuditEntry, err error) {
	var at moment
	var subjects data
	if err = rows.Scan(&e.ID, &at, &e.By, &e.Action, &subjects, &e.Note); err != nil {
		return e, err
	}
	e.At = at.Time
	if !strings.HasPrefix(string(subjects), "{") {
		return e, json.Unmarshal(subjects, &e.Subjects)
	}
	made := struct {
		Job      *string   `json:"job"`
		Subjects *[]string `json:"subjects"`
	}{&e.Job, &e.Subjects}
	return e, json.Unmarshal(subjects, &made)
}

// SweepAudit implements [driver.AuditStore].
func (s *Engine) SweepAudit(ctx context.Context, age time.Duration, limit int) (int, error) {
	return s.removeCall(ctx, "sweep the audit log", removal{s.queries.AuditSweep, s.queries.AuditFree, scanSeq}, age, limit)
}
