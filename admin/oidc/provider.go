package oidc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const (
	patience = 5 * time.Second // for an answer of the provider, unless the client has its own
	again    = 5 * time.Second // between two questions that tokens cause
	fresh    = 15 * time.Minute
)

// algorithms are the asymmetric ones, whatever else the provider offers.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA}

// Provider verifies the tokens of an issuer. It is safe for concurrent use.
type Provider struct {
	config Config

	mu      sync.Mutex
	known   *issuer   // nil: the issuer was never reached
	since   time.Time // when known was made
	asked   time.Time // when the issuer was asked last
	problem error     // of that request; nil: it succeeded
}

// issuer is what an issuer says about itself.
type issuer struct {
	keys     oidc.KeySet
	endpoint oauth2.Endpoint
}

// New makes a provider. It sends nothing; see [Provider.Reach].
func New(c Config) (*Provider, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	return &Provider{config: c.withDefaults()}, nil
}

// Reach fetches the configuration of the issuer, unless that has been done. An
// error means that tokens are refused until the issuer answers; each token
// causes another try, at most every 5 seconds.
func (p *Provider) Reach(ctx context.Context) error {
	_, err := p.reached(ctx)
	return err
}

// errBusy is for requests that come while another one asks the issuer.
var errBusy = errors.New("no answer yet")

// reached returns the issuer. It asks an issuer again after a while, since keys may
// have been withdrawn; while the issuer cannot be reached, the old answer stays.
func (p *Provider) reached(ctx context.Context) (*issuer, error) {
	p.mu.Lock()
	now := time.Now()
	old, problem := p.known, p.problem
	if old != nil && now.Sub(p.since) < fresh || !p.asked.IsZero() && now.Sub(p.asked) < again {
		p.mu.Unlock()
		if old != nil {
			return old, nil
		}
		return nil, p.unreachable(problem)
	}
	p.asked, p.problem = now, errBusy
	p.mu.Unlock()

	made, err := p.discover(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problem = err
	if err != nil && old != nil {
		p.config.Logger.Warn("outbox: the OpenID Connect issuer cannot be reached: its tokens are verified with the keys it had", "issuer", p.config.Issuer, "error", err)
		return old, nil
	}
	if err != nil {
		return nil, p.unreachable(err)
	}
	p.known, p.since = made, now
	if old == nil {
		p.config.Logger.Info("outbox: tokens of the OpenID Connect issuer are accepted", "issuer", p.config.Issuer)
	}
	return made, nil
}

func (p *Provider) unreachable(err error) error {
	return fmt.Errorf("oidc: the issuer %s cannot be reached, and its tokens are refused until it can be: %w", p.config.Issuer, err)
}

// client returns the HTTP client for requests to the issuer.
func (p *Provider) client() *http.Client {
	c := *p.config.Client
	c.Transport = bounded{of(c.Transport)}
	return &c
}

// patience is how long to wait for an answer of the issuer.
func (p *Provider) patience() time.Duration { return cmp.Or(p.config.Client.Timeout, patience) }

func (p *Provider) discover(ctx context.Context) (*issuer, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	client := p.client()
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, client), p.config.Issuer)
	if err != nil {
		return nil, err
	}
	var at struct {
		Keys    string   `json:"jwks_uri"`
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := found.Claims(&at); err != nil {
		return nil, err
	}
	keys := *client
	keys.Transport = &sparing{next: client.Transport}
	made := &issuer{
		keys:     told{oidc.NewRemoteKeySet(oidc.ClientContext(context.WithoutCancel(ctx), &keys), at.Keys)},
		endpoint: found.Endpoint(),
	}
	// Trying both styles would use up the code, so it is the default of the
	// specification unless the issuer says otherwise.
	made.endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if slices.Contains(at.Methods, "client_secret_post") && !slices.Contains(at.Methods, "client_secret_basic") {
		made.endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return made, nil
}
