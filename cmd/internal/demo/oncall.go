package demo

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
)

// onCall is the name of somebody who is on call: see [Demo.workOnCall].
const onCall = "oncall"

const onCallNote = "order-confirmation-old was removed: change the template, then retry"

// workOnCall does once what somebody on call does when dead letters come: says who
// looks at them, and puts a note on each. So jobs and the audit log have something to
// show, and nothing is delivered or given up that would not be without it.
func (d *Demo) workOnCall(ctx context.Context) {
	if d.cfg.Console == nil {
		return
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for id := outbox.NewID(); ; { // of the job: a second try starts no second one
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if done, err := d.lookAfterMails(ctx, id); done && err == nil {
			return
		}
	}
}

// lookAfterMails reports false as long as there are too few letters.
func (d *Demo) lookAfterMails(ctx context.Context, id string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, aLook)
	defer cancel()
	groups, _, err := d.db.Store.ListGroups(ctx, driver.GroupFilter{Lane: mailRequested.Type(), Reason: errTemplate.Error()}, nil, 1)
	if err != nil || len(groups) == 0 || groups[0].Open.N < 2 {
		return false, err
	}
	g := groups[0]
	if g.State == driver.GroupNew {
		if _, err := d.db.Store.MarkGroup(ctx, g.ID, driver.GroupMark{State: driver.GroupInvestigating, By: onCall, Note: onCallNote}); err != nil {
			return false, err
		}
	}
	_, err = job.Start(ctx, d.db.Store, job.Spec{Action: job.Note, ID: id, Filter: job.Filter{Group: g.ID}}, driver.Act{By: onCall, Note: onCallNote})
	return true, err
}
