package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/oidc"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// auth finds out who uses the REST API. It is nil if nobody may.
func (d *Daemon) auth() (admin.Auth, error) {
	a := d.config.Admin
	var all []admin.Auth
	var tokens []admin.Token
	for _, name := range slices.Sorted(maps.Keys(a.Tokens)) {
		t := a.Tokens[name]
		tokens = append(tokens, admin.Token{Name: name, Role: admin.Role(t.Role), SHA256: sumOf(t.Token, t.SHA256)})
	}
	var users []admin.User
	for _, name := range slices.Sorted(maps.Keys(a.Users)) {
		u := a.Users[name]
		users = append(users, admin.User{Name: name, Role: admin.Role(u.Role), SHA256: sumOf(u.Password, u.SHA256)})
	}
	if len(tokens) > 0 {
		known, err := admin.Tokens(tokens...)
		if err != nil {
			return nil, err
		}
		all = append(all, known)
	}
	if len(users) > 0 {
		known, err := admin.Users(users...)
		if err != nil {
			return nil, err
		}
		all = append(all, known)
	}
	if a.OIDC.Issuer != "" {
		c := a.OIDC.Provider()
		c.Logger = d.log
		var err error
		if d.issuer, err = oidc.New(c); err != nil {
			return nil, err
		}
		all = append(all, d.issuer.Auth)
	}
	if a.Anonymous != "" {
		all = append(all, admin.AnyoneHere(admin.Role(a.Anonymous)))
	}
	if len(all) == 0 {
		return nil, nil
	}
	proxies, err := a.Proxies()
	if err != nil {
		return nil, fmt.Errorf("outbox.admin.trusted-proxies: %w", err)
	}
	return admin.LimitLogins(admin.FirstOf(all...), admin.LoginLimit{PerMinute: a.FailedLogins, TrustedProxies: proxies, Logger: d.log}), nil
}

// reach asks the provider of tokens for its configuration, so that the log says
// at the start if it cannot be reached. done waits for the answer.
func (d *Daemon) reach(ctx context.Context) (done func()) {
	var asking sync.WaitGroup
	if d.issuer != nil {
		asking.Go(func() {
			if err := d.issuer.Reach(ctx); err != nil && ctx.Err() == nil {
				d.log.Warn("outbox: tokens of outbox.admin.oidc are refused until its issuer can be reached", "error", err)
			}
		})
	}
	return asking.Wait
}

func sumOf(secret, sum string) string {
	if secret != "" {
		return admin.Sum(secret)
	}
	return sum
}

// offer serves the REST API from now on, if somebody may use it.
func (d *Daemon) offer(ctx context.Context, db *dburl.Handle) error {
	if d.whoever == nil {
		return nil
	}
	a := d.config.Admin
	proxies, err := a.Proxies()
	if err != nil {
		return err
	}
	c := admin.Config{
		Store: db.Store, Version: d.options.Version, Logger: d.log,
		Auth: d.whoever, NoLoginLimit: true, TrustedProxies: proxies, // whoever has its own
		FailedLogins: a.FailedLogins, // for the console's sign-in
		HidePayloads: a.HidePayloads, Mask: a.Mask, Concurrent: a.MaxRequests, ConsentOver: int64(a.ConsentOver),
	}
	h, err := admin.New(c)
	if err != nil {
		return err
	}
	if err := d.openConsole(c, db.Name(ctx)); err != nil {
		return err
	}
	d.api.Store(&h)
	d.log.Info("outbox: serving the REST API", "database", db.Name(ctx))
	return nil
}

// serveAPI serves the REST API once the database is there.
func (d *Daemon) serveAPI(w http.ResponseWriter, r *http.Request) {
	if h := d.api.Load(); h != nil {
		(*h).ServeHTTP(w, r)
		return
	}
	if d.whoever == nil {
		problem(w, http.StatusNotFound, "nothing is served here: set outbox.admin.tokens, outbox.admin.users or outbox.admin.oidc for the REST API")
		return
	}
	w.Header().Set("Retry-After", "1")
	problem(w, http.StatusServiceUnavailable, "the database is not available yet: try again")
}

// problem answers as the REST API does.
func problem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": detail}) // the client has gone
}
