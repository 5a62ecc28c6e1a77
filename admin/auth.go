package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"unicode"
)

// Auth finds out who sends a request. It returns [ErrUnauthenticated] if the
// request has no credentials, or wrong ones; any other error is logged and
// answered with 503. It must be safe for concurrent use.
type Auth func(r *http.Request) (Person, error)

// ErrUnauthenticated is the error of a request without credentials, or with wrong
// ones.
var ErrUnauthenticated = errors.New("admin: send a bearer token, or a user and a password, that this server knows")

// ErrNoCredentials is an [ErrUnauthenticated] of a request that has no
// credentials of the kind that an Auth asks for. Nobody is guessing, so
// [LimitLogins] does not count it.
var ErrNoCredentials = fmt.Errorf("%w: there are none", ErrUnauthenticated)

// Token is a bearer token.
type Token struct {
	Name   string // for the audit log
	Role   Role
	SHA256 string // of the token, in hexadecimal; see [Sum]
}

// User is somebody with a password.
type User struct {
	Name   string
	Role   Role
	SHA256 string // of the password, in hexadecimal; see [Sum]
}

// Sum returns what [Token] and [User] keep of a secret. It protects secrets of
// at least 128 random bits; a password that a person made up can be guessed from
// it.
func Sum(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Anyone lets everybody in with that role, without asking who they are: for a
// demo, or behind a proxy that asks.
func Anyone(role Role) Auth {
	return func(*http.Request) (Person, error) { return Person{Name: "anyone", Role: role}, nil }
}

// AnyoneHere gives that role to requests without credentials whose host is an IP
// address or localhost: for a network that only the right people can reach. It
// refuses other host names, since another site can point one at this address and
// have a browser send requests to it. It refuses credentials, since it cannot check
// them.
func AnyoneHere(role Role) Auth {
	anyone := Anyone(role)
	return func(r *http.Request) (Person, error) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		switch {
		case r.Header.Get("Authorization") != "":
			return Person{}, ErrUnauthenticated
		case host != "localhost" && net.ParseIP(strings.Trim(host, "[]")) == nil:
			return Person{}, ErrNoCredentials
		}
		return anyone(r)
	}
}

// FirstOf asks each in turn until one knows who it is.
func FirstOf(auths ...Auth) Auth {
	return func(r *http.Request) (Person, error) {
		last := ErrNoCredentials
		for _, a := range auths {
			p, err := a(r)
			if !errors.Is(err, ErrUnauthenticated) {
				return p, err
			}
			if !errors.Is(err, ErrNoCredentials) {
				last = ErrUnauthenticated
			}
		}
		return Person{}, last
	}
}

// secret is the sum of one secret and whose it is.
type secret struct {
	Person
	sum [sha256.Size]byte
}

func newSecret(what, name string, role Role, sum string) (secret, error) {
	s := secret{Person: Person{Name: name, Role: role}}
	raw, err := hex.DecodeString(sum)
	switch {
	case name == "":
		return s, fmt.Errorf("admin: a %s has no name: set Name, which the audit log shows", what)
	case strings.ContainsFunc(name, func(r rune) bool { return r == ':' || !unicode.IsPrint(r) }):
		return s, fmt.Errorf("admin: the %s %q has a colon or something unprintable in its name: remove it", what, name)
	case role.rank() == 0:
		return s, fmt.Errorf("admin: the %s %q has the role %q: use one of %q", what, name, role, Roles())
	case err != nil || len(raw) != sha256.Size:
		return s, fmt.Errorf("admin: SHA256 of the %s %q is not a SHA-256 sum in hexadecimal: make one with printf %%s SECRET | sha256sum", what, name)
	}
	copy(s.sum[:], raw)
	return s, nil
}

// distinct refuses a secret that two have: either could pass for the other.
func distinct(what string, all []secret) error {
	seen := map[[sha256.Size]byte]string{}
	for _, s := range all {
		if other, there := seen[s.sum]; there {
			return fmt.Errorf("admin: the %ss %q and %q have the same secret: give each its own", what, other, s.Name)
		}
		seen[s.sum] = s.Name
	}
	return nil
}

// find looks up a secret in a time that does not depend on how much of it is
// right.
func find(all []secret, name func(secret) bool, given string) (Person, error) {
	sum := sha256.Sum256([]byte(given))
	found := -1
	for i, s := range all {
		if subtle.ConstantTimeCompare(sum[:], s.sum[:]) == 1 && name(s) {
			found = i
		}
	}
	if found < 0 {
		return Person{}, ErrUnauthenticated
	}
	return all[found].Person, nil
}

// Tokens asks for one of these bearer tokens.
func Tokens(tokens ...Token) (Auth, error) {
	all := make([]secret, len(tokens))
	for i, t := range tokens {
		var err error
		if all[i], err = newSecret("token", t.Name, t.Role, t.SHA256); err != nil {
			return nil, err
		}
	}
	if err := distinct("token", all); err != nil {
		return nil, err
	}
	return func(r *http.Request) (Person, error) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return Person{}, ErrNoCredentials
		}
		return find(all, func(secret) bool { return true }, strings.TrimSpace(given))
	}, nil
}

// Users asks for the name and the password of one of these users, as HTTP basic
// authentication sends them.
func Users(users ...User) (Auth, error) {
	all := make([]secret, len(users))
	for i, u := range users {
		var err error
		if all[i], err = newSecret("user", u.Name, u.Role, u.SHA256); err != nil {
			return nil, err
		}
	}
	return func(r *http.Request) (Person, error) {
		name, given, ok := r.BasicAuth()
		if !ok {
			return Person{}, ErrNoCredentials
		}
		return find(all, func(s secret) bool { return s.Name == name }, given)
	}, nil
}
