package admin

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/sendoff-go/outbox/driver"
)

// Store is what the API shows and changes. Every store of this project implements it.
type Store interface {
	driver.DeadLetterStore
	driver.GroupStore
	driver.EventStore
	driver.AlertStore
	driver.JobStore
	driver.ReplayStore
	driver.EraseStore
	driver.ConsumerStore
	driver.AuditStore
	driver.ControlStore
	driver.InstanceStore
	driver.StatsStore
}

// Config configures a handler. The zero value of a field that is not required
// means its default.
type Config struct {
	// Store holds the outbox. Required.
	Store Store
	// Auth finds out who sends a request. Required.
	Auth Auth
	// HidePayloads keeps payloads and headers of events from viewers.
	HidePayloads bool
	// Mask names fields of payloads whose values everybody below [Admin] sees as
	// "***": $.card.number is one from the root of the payload, where * stands for
	// any field, and password one of that name at any depth, or a header. Case
	// does not matter, and the elements of arrays are passed through. With a mask,
	// they see nothing of a payload that is not JSON. Default: no mask.
	Mask []string
	// ConsentOver is how many rows a job may match without the consent of a second
	// person. More ids than that are refused. Default: any number.
	ConsentOver int64
	// Rate is how many requests a second one person may send, spread out or in
	// a burst. Requests that are not authenticated are limited in the same way
	// by address. Default 50.
	Rate int
	// Concurrent is how many requests of authenticated people are served at
	// once. Default 100.
	Concurrent int
	// FailedLogins is how many wrong credentials one address may send in a
	// minute, spread out or in a burst, before nobody is let in from there; see
	// [LimitLogins]. Default 10.
	FailedLogins int
	// NoLoginLimit is for an Auth that bounds wrong credentials itself. Default:
	// FailedLogins bounds them.
	NoLoginLimit bool
	// TrustedProxies are the addresses whose header X-Forwarded-For is believed.
	// Default: none, so that the address is that of the connection.
	TrustedProxies []netip.Prefix
	// Version is shown in the OpenAPI document. Default "dev".
	Version string
	// Logger gets internal errors, which answers do not show. Default:
	// slog.Default().
	Logger *slog.Logger
}

// api is a handler.
type api struct {
	Config
	mask      *mask
	people    buckets
	strangers buckets       // by address
	places    chan struct{} // of requests that are served
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
	case c.ConsentOver < 0:
		return nil, errors.New("admin: ConsentOver must not be negative: leave it zero for its default")
	case c.FailedLogins < 0:
		return nil, errors.New("admin: FailedLogins must not be negative: leave it zero for its default, or set NoLoginLimit")
	case c.Concurrent < 0:
		return nil, errors.New("admin: Concurrent must not be negative: leave it zero for its default")
	}
	masked, err := newMask(c.Mask)
	if err != nil {
		return nil, err
	}
	c.Rate, c.Concurrent, c.FailedLogins = cmp.Or(c.Rate, 50), cmp.Or(c.Concurrent, 100), cmp.Or(c.FailedLogins, 10)
	if c.Version == "" {
		c.Version = "dev"
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if !c.NoLoginLimit {
		c.Auth = LimitLogins(c.Auth, LoginLimit{PerMinute: c.FailedLogins, TrustedProxies: c.TrustedProxies, Logger: c.Logger})
	}
	a := &api{
		Config: c, mask: masked, places: make(chan struct{}, c.Concurrent),
		people: buckets{size: c.Rate, per: time.Second}, strangers: buckets{size: c.Rate, per: time.Second},
	}
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
	a.events(h)
	a.lanes(h)
	a.destinations(h)
	a.audit(h)
	a.alerts(h)
	a.jobs(h)
	a.consumers(h)
	describe(mux, h.OpenAPI())
	return h.OpenAPI()
}
