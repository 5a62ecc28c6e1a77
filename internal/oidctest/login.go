package oidctest

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// App is a program that people sign in to. Without a secret it is a public client.
type App struct{ ID, Secret, RedirectURL string }

// grant is what a code stands for.
type grant struct {
	client, redirect, challenge, nonce string
	claims                             map[string]any
}

// Register replaces the client. methods are the ways in which it may authenticate,
// client_secret_basic or client_secret_post; the default is client_secret_basic.
func (p *Provider) Register(a App, methods ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.client, p.methods = a, methods
}

// SignIn makes everybody who comes a person with these claims; see Claims.
func (p *Provider) SignIn(claims map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.person, p.refusal = claims, ""
}

// Refuse sends everybody who comes back with an error, such as access_denied.
func (p *Provider) Refuse(code string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusal = code
}

// authorize is the authorization endpoint, for somebody who is signed in and agrees
// at once. What a client must not send is answered with 400 and no redirect.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := r.URL.Query()
	if wrong := p.wrong(q); wrong != "" {
		http.Error(w, wrong, http.StatusBadRequest)
		return
	}
	back := url.Values{"state": {q.Get("state")}}
	if p.refusal != "" {
		back.Set("error", p.refusal)
	} else {
		code := rand.Text()
		p.grants[code] = grant{p.client.ID, q.Get("redirect_uri"), q.Get("code_challenge"), q.Get("nonce"), p.person}
		back.Set("code", code)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// wrong says what is wrong with a request for a code.
func (p *Provider) wrong(q url.Values) string {
	switch {
	case p.client.ID == "" || q.Get("client_id") != p.client.ID:
		return "unknown client_id"
	case q.Get("redirect_uri") != p.client.RedirectURL:
		return "redirect_uri is not the one that was registered"
	case q.Get("response_type") != "code":
		return "response_type is not code"
	case !slices.Contains(strings.Fields(q.Get("scope")), "openid"):
		return "scope has no openid"
	case q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43:
		return "no code_challenge with S256"
	case q.Get("state") == "" || q.Get("nonce") == "":
		return "no state, or no nonce"
	}
	return ""
}

// token is the token endpoint. A code is good for one request, right or wrong.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	client := p.known(r)
	g, issued := p.grants[r.PostFormValue("code")]
	delete(p.grants, r.PostFormValue("code"))
	p.mu.Unlock()
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	switch {
	case !client:
		p.refuse(w, http.StatusUnauthorized, "invalid_client")
	case r.PostFormValue("grant_type") != "authorization_code":
		p.refuse(w, http.StatusBadRequest, "unsupported_grant_type")
	case !issued || r.PostFormValue("redirect_uri") != g.redirect || encode(challenge[:]) != g.challenge:
		p.refuse(w, http.StatusBadRequest, "invalid_grant")
	default:
		claims := map[string]any{"nonce": g.nonce}
		maps.Copy(claims, g.claims)
		p.answer(w, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 300, "id_token": p.Token(g.client, claims)})
	}
}

// known reports whether a request proves to come from the client.
func (p *Provider) known(r *http.Request) bool {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	if p.client.Secret == "" {
		return id == p.client.ID && !basic && secret == ""
	}
	method := "client_secret_post"
	if basic {
		method = "client_secret_basic"
		id, _ = url.QueryUnescape(id) // as RFC 6749 encodes both
		secret, _ = url.QueryUnescape(secret)
	}
	allowed := slices.Contains(p.methods, method) || len(p.methods) == 0 && basic
	return allowed && id == p.client.ID && subtle.ConstantTimeCompare([]byte(secret), []byte(p.client.Secret)) == 1
}

func (p *Provider) refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	p.answer(w, map[string]any{"error": code, "error_description": "see " + code})
}
