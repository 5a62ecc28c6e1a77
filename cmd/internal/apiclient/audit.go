package apiclient

import (
	"context"
	"strconv"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// Audit lists at most limit entries of the audit log that a filter matches, latest
// first.
func (c *Remote) Audit(ctx context.Context, f driver.AuditFilter, limit int) ([]admin.AuditEntry, error) {
	return pages(limit, func(before string, n int) ([]admin.AuditEntry, string, error) {
		var out admin.AuditPage
		err := c.get(ctx, "/api/v1/audit", values("by", f.By, "action", string(f.Action), "job", f.Job,
			"acted_after", moment(f.After), "acted_before", moment(f.Before), "before", before, "limit", number(n)), &out)
		if err == nil && out.Entries == nil {
			err = c.foreign("its answer has no audit log")
		}
		if out.Next == 0 {
			return out.Entries, "", err
		}
		return out.Entries, strconv.FormatInt(out.Next, 10), err
	})
}
