package daemon

import (
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
)

// Parts are those of a daemon that need privileges in the database.
func Parts(c *config.Config) (parts []string) {
	add := func(on bool, names ...string) {
		if on {
			parts = append(parts, names...)
		}
	}
	a := c.Admin
	add(c.Publisher.Enabled, "relay")
	add(c.Publisher.Enabled && c.Publisher.DLQ.ResolvedTTL > 0, doctor.Resolved)
	add(c.Publisher.Enabled && a.AuditTTL > 0, doctor.Audit)
	add(len(a.Tokens)+len(a.Users) > 0 || a.OIDC.Issuer != "" || a.Anonymous != "", "operator", doctor.Jobs)
	add(c.Alerts.Enabled, doctor.Alerts)
	add(c.Consumer.Enabled && c.Consumer.CleanUp.Enabled, doctor.Forget)
	return parts
}
