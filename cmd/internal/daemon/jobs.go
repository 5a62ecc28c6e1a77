package daemon

import (
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/job"
)

// jobs is nil if the daemon serves no REST API: then its database user need not
// have the rights of an operator.
func (d *Daemon) jobs(db *dburl.Handle) (*job.Runner, error) {
	if d.api.Load() == nil {
		return nil, nil
	}
	return job.NewRunner(job.Config{
		Store: db.Store, Name: "daemon", Logger: d.log,
		ConsentWithin: time.Duration(d.config.Admin.ConsentTTL), Retention: time.Duration(d.config.Admin.JobTTL),
	})
}
