package apiclient

import (
	"context"
	"strconv"

	"github.com/sendoff-go/outbox/admin"
)

// Audit lists at most limit entries of the audit log, latest first.
func (c *Remote) Audit(ctx context.Context, limit int) ([]admin.AuditEntry, error) {
	return pages(limit, func(before string, n int) ([]admin.AuditEntry, string, error) {
		var out admin.AuditPage
		err := c.get(ctx, "/api/v1/audit", values("before", before, "limit", number(n)), &out)
		if err == nil && out.Entries == nil {
			err = c.foreign("its answer has no audit log")
		}
		if len(out.Entries) < n {
			return out.Entries, "", err
		}
		return out.Entries, strconv.FormatInt(out.Entries[n-1].ID, 10), err
	})
}
