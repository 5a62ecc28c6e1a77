package daemon

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/admin/oidc"
)

// openConsole makes the console of an API, if it is enabled.
func (d *Daemon) openConsole(api admin.Config, database string) error {
	c := d.config.Admin.Console
	if !c.Enabled {
		return nil
	}
	signIn, err := d.signIn()
	if err != nil {
		return err
	}
	a := d.config.Admin
	made, err := console.New(console.Config{
		SignIn: signIn, OnlySignIn: signIn != nil && len(a.Tokens) == 0 && len(a.Users) == 0,
		API: api, Name: c.Name, Database: database, Key: d.sessionKey(), SignedIn: c.SessionTTL.Std(), TraceURL: c.TraceURL,
		Settings:     func() string { return string(d.config.Show()) },
		TypeSettings: d.typeSettings,
	})
	if err != nil {
		return err
	}
	d.console.Store(made)
	return nil
}

// signIn returns the provider that people sign in to the console with, or nil.
func (d *Daemon) signIn() (console.Provider, error) {
	c := d.config.Admin.OIDC.Login
	if d.issuer == nil || c.RedirectURL == "" {
		return nil, nil
	}
	return oidc.NewLogin(d.issuer, c.Console())
}

// sessionKey returns the key that signs sessions, or nil for a random one. It depends
// on the credentials, so that a change of any of them ends all sessions.
func (d *Daemon) sessionKey() []byte {
	a := d.config.Admin
	if a.Console.SessionKey == "" {
		return nil
	}
	mac := hmac.New(sha256.New, []byte(a.Console.SessionKey))
	for _, name := range slices.Sorted(maps.Keys(a.Tokens)) {
		fmt.Fprintf(mac, "token %q %q %q\n", name, a.Tokens[name].Role, sumOf(a.Tokens[name].Token, a.Tokens[name].SHA256))
	}
	for _, name := range slices.Sorted(maps.Keys(a.Users)) {
		fmt.Fprintf(mac, "user %q %q %q\n", name, a.Users[name].Role, sumOf(a.Users[name].Password, a.Users[name].SHA256))
	}
	o := a.OIDC
	fmt.Fprintf(mac, "oidc %q %q %q %q %q %q\n", o.Issuer, o.Audience, o.RolesClaim, o.NameClaim, o.Login.ClientID, o.Login.ClientSecret)
	for _, value := range slices.Sorted(maps.Keys(o.Roles)) {
		fmt.Fprintf(mac, "role %q %q\n", value, o.Roles[value])
	}
	return []byte(hex.EncodeToString(mac.Sum(nil)))
}

// typeSettings returns the settings of an event type, by their names in the
// configuration.
func (d *Daemon) typeSettings(eventType string) []console.Setting {
	p := d.config.Publisher
	entry, lane, topic := d.entry(eventType), p.Defaults, ""
	name := "defaults"
	var sender string
	if e := p.Events[entry]; e != nil {
		name, lane, topic = entry, e.Lane, e.Topic
		sender, _ = d.config.SenderOf(entry)
	}
	backoff := "delay " + lane.Backoff.Delay.String()
	if lane.Backoff.Enabled {
		backoff += ", multiplier " + strconv.FormatFloat(lane.Backoff.Multiplier, 'g', -1, 64) + ", max-delay " + lane.Backoff.MaxDelay.String()
	}
	return []console.Setting{
		{Name: "entry", Value: name}, {Name: "sender", Value: sender}, {Name: "topic", Value: topic},
		{Name: "batch-size", Value: strconv.Itoa(lane.BatchSize)}, {Name: "queue-capacity", Value: strconv.Itoa(lane.QueueCapacity)},
		{Name: "fixed-delay", Value: lane.FixedDelay.String()}, {Name: "max-retries", Value: strconv.Itoa(lane.MaxRetries)},
		{Name: "backoff", Value: backoff},
	}
}

// serveConsole serves the console once the database is there.
func (d *Daemon) serveConsole(mux *http.ServeMux) {
	if d.whoever == nil || !d.config.Admin.Console.Enabled {
		return
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "./console/") // relative, for proxies
		w.WriteHeader(http.StatusSeeOther)
	})
	mux.Handle("/console/", http.StripPrefix("/console", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := d.console.Load(); c != nil {
			c.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Retry-After", "1")
		w.Header().Set("Refresh", "2") // a browser tries again
		answer(w, http.StatusServiceUnavailable, "the database is not available yet\n")
	})))
}
