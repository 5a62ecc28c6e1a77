package admin

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/sendoff-go/outbox/driver"
)

// Store is what the API shows and changes. Every store of this project implements it.
type Store interface {
	driver.DeadLetterStore
	driver.GroupStore
	driver.AuditStore
	driver.ControlStore
	driver.InstanceStore
	driver.StatsStore
}

// Config is what a handler is made of.
type Config struct {
	// Store holds the outbox. Required.
	Store Store
	// Auth finds out who sends a request. Required.
	Auth Auth
	// HidePayloads keeps payloads and headers of events from viewers.
	HidePayloads bool
	// Rate is how many requests a second one person may send; as many may come
	// at once. Requests that are not authenticated share one such bound. Default
	// 50.
	Rate int
	// Version is shown in the OpenAPI document. Default "dev".
	Version string
	// Logger gets what went wrong inside, which answers do not show. Default:
	// slog.Default().
	Logger *slog.Logger
}

// api is a handler.
type api struct {
	Config
	people buckets
}

// New makes a handler. It is safe for concurrent use.
func New(c Config) (http.Handler, error) {
	switch {
	case c.Store == nil:
		return nil, errors.New("admin: set Store")
	case c.Auth == nil:
		return nil, errors.New("admin: set Auth, for example to Tokens; Anyone serves without authentication")
	case c.Rate < 0:
		return nil, errors.New("admin: Rate must not be negative: leave it zero for its default")
	}
	if c.Rate == 0 {
		c.Rate = 50
	}
	if c.Version == "" {
		c.Version = "dev"
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	a := &api{Config: c, people: buckets{rate: c.Rate}}
	mux := http.NewServeMux()
	a.register(mux)
	return a.guard(mux), nil
}

// register adds the operations to a mux, and returns their description.
func (a *api) register(mux *http.ServeMux) *huma.OpenAPI {
	config := huma.DefaultConfig("outbox", a.Version)
	config.Info.Description = "What waits in an outbox, its dead letters, and what people did with them."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "/api/openapi", "", ""
	config.CreateHooks = nil // no links to schemas in the answers
	config.RejectUnknownQueryParameters = true
	config.Transformers = []huma.Transformer{short}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token":    {Type: "http", Scheme: "bearer"},
		"password": {Type: "http", Scheme: "basic"},
	}
	config.Security = []map[string][]string{{"token": {}}, {"password": {}}}
	h := humago.New(mux, config)
	a.manual(h)
	a.letters(h)
	a.groups(h)
	a.lanes(h)
	a.audit(h)
	return h.OpenAPI()
}
