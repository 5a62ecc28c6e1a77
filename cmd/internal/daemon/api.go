package daemon

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/admin"
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
	if a.Anonymous != "" {
		all = append(all, anonymous(admin.Role(a.Anonymous)))
	}
	if len(all) == 0 {
		return nil, nil
	}
	return admin.FirstOf(all...), nil
}

func sumOf(secret, sum string) string {
	if secret != "" {
		return admin.Sum(secret)
	}
	return sum
}

// anonymous lets those in who send no credentials. Wrong ones are an error: they
// would be taken for somebody else. So is a host name, which another site can
// point at this address to have a browser ask in its name.
func anonymous(role admin.Role) admin.Auth {
	anyone := admin.Anyone(role)
	return func(r *http.Request) (admin.Person, error) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		named := host != "localhost" && net.ParseIP(strings.Trim(host, "[]")) == nil
		if named || r.Header.Get("Authorization") != "" {
			return admin.Person{}, admin.ErrUnauthenticated
		}
		return anyone(r)
	}
}

// offer serves the REST API from now on, if somebody may use it.
func (d *Daemon) offer(ctx context.Context, db *dburl.Handle) error {
	if d.whoever == nil {
		return nil
	}
	h, err := admin.New(admin.Config{
		Store: db.Store, Auth: d.whoever, HidePayloads: d.config.Admin.HidePayloads, Version: d.options.Version, Logger: d.log,
	})
	if err != nil {
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
		problem(w, http.StatusNotFound, "nothing is served here: set outbox.admin.tokens or outbox.admin.users for the REST API")
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
	_ = json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": detail}) // whoever asked has gone
}

// known calls next for those who may use the REST API. Where nobody may, there
// are no credentials to ask for.
func (d *Daemon) known(next http.Handler) http.Handler {
	if d.whoever == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.knows(r) {
			w.Header().Set("WWW-Authenticate", `Bearer, Basic realm="outbox", charset="UTF-8"`)
			answer(w, http.StatusUnauthorized, "send a bearer token, or a user and a password, of outbox.admin\n")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knows reports whether the request comes from somebody who may use the REST
// API.
func (d *Daemon) knows(r *http.Request) bool {
	if d.whoever == nil {
		return true
	}
	_, err := d.whoever(r)
	return err == nil
}
