package config

import (
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/admin"
)

// minSecret is the length of a secret below which guessing pays.
const minSecret = 16

// minSessionKey is longer: whoever has a session can guess keys offline.
const minSessionKey = 32

// checkAdmin checks who may use the REST API.
func (l *loader) checkAdmin() {
	a := l.config.Admin
	for _, name := range slices.Sorted(maps.Keys(a.Tokens)) {
		t := a.Tokens[name]
		l.checkSecret([]string{"admin", "tokens", name}, "token", t.Token, t.SHA256)
	}
	for _, name := range slices.Sorted(maps.Keys(a.Users)) {
		u := a.Users[name]
		l.checkSecret([]string{"admin", "users", name}, "password", u.Password, u.SHA256)
	}
	for name := range a.Users {
		if a.Tokens[name] != nil {
			l.wrong(dotted([]string{"admin", "users", name}), "has the name of a token: the audit log could not tell them apart")
		}
	}
	if a.Addr == "" && (len(a.Tokens) > 0 || len(a.Users) > 0 || a.Anonymous != "" || a.OIDC.Issuer != "") {
		l.wrong("admin.addr", "is missing, so that nothing is served to anybody: set it, for example to 127.0.0.1:9464")
	}
	if (a.TLS.CertFile == "") != (a.TLS.KeyFile == "") {
		l.wrong("admin.tls", "has only one of cert-file and key-file: set both")
	}
	if a.Profiling && len(a.Tokens) == 0 && len(a.Users) == 0 && a.OIDC.Issuer == "" && a.Anonymous != "admin" {
		l.wrong("admin.profiling", "is for the role admin, which nobody has: set tokens, users or oidc")
	}
	for _, pattern := range a.Mask {
		if err := admin.CheckMask(pattern); err != nil {
			l.wrong("admin.mask", "%s", strings.TrimPrefix(err.Error(), "admin: "))
		}
	}
	if _, err := a.Proxies(); err != nil {
		l.wrong("admin.trusted-proxies", "%s", err)
	}
	if key := a.Console.SessionKey; key != "" && len(key) < minSessionKey {
		l.wrong("admin.console.session-key", "has %d characters: use at least %d random ones", len(key), minSessionKey)
	}
	if u := a.Console.TraceURL; u != "" && !strings.HasPrefix(u, "https://") && !strings.HasPrefix(u, "http://") {
		l.wrong("admin.console.trace-url", "must begin with https:// or http://")
	}
	l.checkOIDC()
}

// checkSecret checks a secret that is given by itself or by its sum.
func (l *loader) checkSecret(path []string, kind, secret, sum string) {
	raw, err := hex.DecodeString(sum)
	at := dotted(path)
	switch {
	case l.problems.within(append([]string{"outbox"}, path...)): // it could not be read
	case (secret == "") == (sum == ""):
		l.wrong(at, "needs one of %s and %s-sha256", kind, kind)
	case secret != strings.TrimSpace(secret):
		l.wrong(at+"."+kind, "begins or ends with a space: remove it")
	case secret != "" && len(secret) < minSecret:
		l.wrong(at+"."+kind, "has fewer than %d characters: make one with openssl rand -base64 24", minSecret)
	case sum != "" && (err != nil || len(raw) != 32):
		l.wrong(at+"."+kind+"-sha256", "is not a SHA-256 sum in hexadecimal: make one with printf %%s SECRET | sha256sum")
	}
}
