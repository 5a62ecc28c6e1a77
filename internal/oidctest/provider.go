package oidctest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Provider is an OpenID Connect provider. It is safe for concurrent use.
type Provider struct {
	// URL is the issuer.
	URL string
	// Handler serves it, for who wants to ask it without a network.
	Handler http.Handler

	t testing.TB

	mu      sync.Mutex
	down    bool
	keys    []*Key
	fetches int

	client  App
	methods []string // by which the client may authenticate
	person  map[string]any
	refusal string
	grants  map[string]grant // by code
}

// New starts a provider with one RSA key. It is stopped at the end of the test.
func New(t testing.TB) *Provider {
	t.Helper()
	p := &Provider{t: t, keys: []*Key{NewRSA(t, "first")}, grants: map[string]grant{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		config := map[string]any{
			"issuer": p.URL, "jwks_uri": p.URL + "/keys", "authorization_endpoint": p.URL + "/auth", "token_endpoint": p.URL + "/token",
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"RS256", "ES256", "HS256", "none"},
		}
		p.mu.Lock()
		if len(p.methods) > 0 {
			config["token_endpoint_auth_methods_supported"] = p.methods
		}
		p.mu.Unlock()
		p.answer(w, config)
	})
	mux.HandleFunc("GET /auth", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		p.fetches++
		public := []map[string]string{}
		for _, k := range p.keys {
			public = append(public, k.public)
		}
		p.mu.Unlock()
		p.answer(w, map[string]any{"keys": public})
	})
	p.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		down := p.down
		p.mu.Unlock()
		if down {
			panic(http.ErrAbortHandler) // cuts the connection
		}
		mux.ServeHTTP(w, r)
	})
	srv := httptest.NewServer(p.Handler)
	t.Cleanup(srv.Close)
	p.URL = srv.URL
	return p
}

func (p *Provider) answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		p.t.Error(err)
	}
}

// SetDown has the provider cut every connection, or serve again.
func (p *Provider) SetDown(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
}

// Rotate replaces the keys.
func (p *Provider) Rotate(keys ...*Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = keys
}

// Fetches is how often the keys were asked for.
func (p *Provider) Fetches() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fetches
}

// Key returns the first key.
func (p *Provider) Key() *Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keys[0]
}

// Claims returns those of ann for an audience, with an hour to live, and those of
// more, of which a nil one is left out.
func (p *Provider) Claims(audience string, more map[string]any) map[string]any {
	now := time.Now()
	all := map[string]any{"iss": p.URL, "sub": "ann", "aud": audience, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}
	maps.Copy(all, more)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

// Token returns a token with the first key; see Claims.
func (p *Provider) Token(audience string, more map[string]any) string {
	p.t.Helper()
	return p.Key().Sign(p.t, nil, p.Claims(audience, more))
}
