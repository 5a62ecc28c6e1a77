package config

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/sendoff-go/outbox"
)

// masked stands for a secret.
const masked = "*****"

var secretParameter = regexp.MustCompile(`(?i)(pass|pwd|secret|token|key|credential|auth|sig|code|jwt|sas)`)

// tokenScheme is one in whose URLs a user without a password is a token.
var tokenScheme = regexp.MustCompile(`(?i)^(nats|tls|wss?)$`)

// maskURL hides what is secret in a URL, or in several with commas between
// them. What cannot be read is hidden whole.
func maskURL(address string) string {
	var all []string
	for _, one := range strings.Split(address, ",") {
		all = append(all, maskOne(one))
	}
	return strings.Join(all, ",")
}

func maskOne(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		if strings.ContainsAny(address, "@=") {
			return masked
		}
		return address
	}
	if strings.EqualFold(scheme, "sqlite") { // a path, not a host
		path, query, _ := strings.Cut(rest, "?")
		return scheme + "://" + path + maskQuery(query)
	}
	if strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") {
		return outbox.DestinationName(address)
	}
	u, err := url.Parse(address)
	if err != nil {
		return scheme + "://" + masked
	}
	user := ""
	if u.User != nil {
		user = url.User(u.User.Username()).String()
		if _, has := u.User.Password(); has {
			user += ":" + masked
		} else if tokenScheme.MatchString(scheme) {
			user = masked
		}
		user += "@"
	}
	return scheme + "://" + user + u.Host + u.EscapedPath() + maskQuery(u.RawQuery)
}

func maskQuery(query string) string {
	if query == "" {
		return ""
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, _, found := strings.Cut(pair, "="); found && secretParameter.MatchString(name) {
			pairs[i] = name + "=" + masked
		}
	}
	return "?" + strings.Join(pairs, "&")
}
