package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

// masked stands for a secret.
const masked = "*****"

var secretParameter = regexp.MustCompile(`(?i)(pass|pwd|secret|token|key|credential|auth|sig|code|jwt|sas)`)

// tokenScheme is one in whose URLs a user without a password is a token.
var tokenScheme = regexp.MustCompile(`(?i)^(nats|tls|wss?)$`)

var (
	// nextURL begins another URL of a list. A comma alone may be in a password.
	nextURL = regexp.MustCompile(`(?i),\s*[a-z][a-z0-9+.-]*://`)
	// plainHost is a host and a port, which nothing else can be.
	plainHost = regexp.MustCompile(`^(\[[0-9A-Fa-f:.%]*\]|[\pL\pN._-]*)(:[0-9]*)?$`)
	plainUser = regexp.MustCompile(`^[\pL\pN._%+~@-]*$`)
	plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)
)

// maskAddress is what people may see of an address, or of several URLs with commas
// between them. Of the URL of a database or a broker that is all but its
// passwords, since one has to see which it is; of anything else it is the name
// that [driver.DestinationName] gives it. What cannot be read is hidden whole.
func maskAddress(address string) string {
	var out strings.Builder
	for address != "" {
		one := address
		if at := nextURL.FindStringIndex(address); at != nil {
			one = address[:at[0]]
		}
		address = address[len(one):]
		out.WriteString(maskOne(one))
		comma := len(address) - len(strings.TrimLeft(address, ", \t\r\n"))
		out.WriteString(address[:comma])
		address = address[comma:]
	}
	return out.String()
}

func maskOne(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	switch {
	case !found && strings.ContainsAny(address, "@="), found && !plainName.MatchString(scheme):
		return masked
	case !found, strings.EqualFold(scheme, "http"), strings.EqualFold(scheme, "https"):
		return driver.DestinationName(address)
	case strings.EqualFold(scheme, "sqlite"): // a path, not a host
		path, query, _ := strings.Cut(rest, "?")
		return scheme + "://" + path + maskQuery(query)
	}
	authority, tail := rest, ""
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		authority, tail = rest[:at], rest[at:]
	}
	host, user := authority, ""
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		host, user = authority[at+1:], maskUser(scheme, authority[:at])+"@"
	}
	// Behind the host an @ may be the end of a password with a slash in it, and
	// what seems to be the host its beginning.
	if strings.Contains(tail, "@") || slices.ContainsFunc(strings.Split(host, ","), func(h string) bool { return !plainHost.MatchString(h) }) {
		return scheme + "://" + masked
	}
	tail, fragment, found := strings.Cut(tail, "#")
	if found && fragment != "" {
		fragment = "#" + masked
	}
	path, query, _ := strings.Cut(tail, "?")
	return scheme + "://" + user + host + path + maskQuery(query) + fragment
}

func maskUser(scheme, userinfo string) string {
	user, _, found := strings.Cut(userinfo, ":")
	if !plainUser.MatchString(user) || !found && tokenScheme.MatchString(scheme) {
		user = masked
	}
	if found {
		user += ":" + masked
	}
	return user
}

// maskQuery hides the values of parameters that may be secret, whatever their
// spelling, and those without a name.
func maskQuery(query string) string {
	if query == "" {
		return ""
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, _, found := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(pair)
		switch {
		case !found && pair != "":
			pairs[i] = masked
		case err != nil || secretParameter.MatchString(plain):
			pairs[i] = name + "=" + masked
		}
	}
	return "?" + strings.Join(pairs, "&")
}
