package outbox

import (
	"net/url"
	"regexp"
	"strings"
)

// hiddenText stands for what people are not shown.
const hiddenText = "*****"

// credentials are a password before a host, and parameters, without a scheme.
var credentials = regexp.MustCompile(`:[^/]*@|\?.*=`)

// DestinationName is what people are shown of a destination, in names of targets,
// logs, health, stored errors and printed configurations. The name of a topic,
// exchange, subject or stream is itself. Of a URL it is the scheme and the host,
// and of a path that it is one: users, passwords, paths and parameters may be
// secrets, such as those of a chat's webhooks, and those who read logs and health
// are more than those who may send.
func DestinationName(destination string) string {
	scheme, _, absolute := strings.Cut(destination, "://")
	switch {
	case absolute:
	case strings.HasPrefix(destination, "/") && destination != "/":
		return "/" + hiddenText
	case credentials.MatchString(destination):
		return hiddenText
	default:
		return destination
	}
	u, err := url.Parse(destination)
	if err != nil && plainScheme.MatchString(scheme) {
		return scheme + "://" + hiddenText
	}
	if err != nil || u.Scheme == "" || u.Host == "" {
		return hiddenText
	}
	name := u.Scheme + "://"
	if u.User != nil {
		name += hiddenText + "@"
	}
	name += u.Host
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return name + "/" + hiddenText
	}
	return name + u.Path
}

// plainScheme is one that cannot be anything else.
var plainScheme = regexp.MustCompile(`^[a-z]{1,8}$`)
