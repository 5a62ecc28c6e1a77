package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
)

// ConsumerGroup is a group of consumers whose ledger is in this database, on the
// wire.
type ConsumerGroup struct {
	Name     string    `json:"name"`
	Recorded Count     `json:"recorded" doc:"How many event ids it remembers."`
	LastAt   time.Time `json:"last_at" doc:"When it last recorded one."`
}

// consumers registers what concerns consumer groups.
func (a *api) consumers(h huma.API) {
	operation(a, h, Viewer, http.MethodGet, "/api/v1/consumer-groups", "list-consumer-groups", "List the consumer groups whose ledger is in this database, by name", a.listConsumers)
}

type consumersInput struct {
	After string `query:"after" maxLength:"128" doc:"List the groups after this one, the last of the previous page."`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// ConsumerPage is a page of consumer groups.
type ConsumerPage struct {
	Groups []ConsumerGroup `json:"groups"`
}

func (a *api) listConsumers(ctx context.Context, in *consumersInput) (*body[ConsumerPage], error) {
	if in.After != "" && driver.CheckConsumed(in.After) != nil {
		return nil, huma.Error422UnprocessableEntity("after is not the name of a consumer group")
	}
	groups, err := a.Store.ConsumerGroups(ctx, in.After, in.Limit)
	if err != nil {
		return nil, err
	}
	page := ConsumerPage{Groups: []ConsumerGroup{}}
	for _, g := range groups {
		page.Groups = append(page.Groups, ConsumerGroup{g.Name, Count(g.Recorded), encodable(g.LastAt)})
	}
	return &body[ConsumerPage]{page}, nil
}
