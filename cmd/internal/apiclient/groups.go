package apiclient

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

const groupsPath = "/api/v1/dead-letter-groups"

// Groups lists at most limit groups with open letters, latest letter first.
func (c *Remote) Groups(ctx context.Context, f driver.GroupFilter, limit int) ([]admin.Group, error) {
	return pages(limit, func(after string, n int) ([]admin.Group, string, error) {
		var p admin.GroupPage
		err := c.get(ctx, groupsPath, values("type", f.Lane, "destination", f.Destination, "reason", f.Reason, "state", string(f.State), "by", f.By,
			"last_after", moment(f.LastAfter), "last_before", moment(f.LastBefore), "cursor", after, "limit", number(n)), &p)
		if err == nil && p.Groups == nil {
			err = c.foreign("its answer has no groups")
		}
		return p.Groups, p.Next, err
	})
}

// MarkGroup records what a person says about a group, and returns it. The server
// knows who it is.
func (c *Remote) MarkGroup(ctx context.Context, id string, m driver.GroupMark) (g admin.Group, found bool, err error) {
	if !addressable(id) {
		return g, false, nil
	}
	in := struct {
		State      driver.GroupState `json:"state"`
		MutedUntil *time.Time        `json:"muted_until,omitempty"`
		Note       string            `json:"note,omitempty"`
	}{m.State, optional(m.MutedUntil), m.Note}
	found, err = whether(c.call(ctx, http.MethodPut, groupsPath+"/"+url.PathEscape(id)+"/state", in, &g))
	return g, found, err
}
