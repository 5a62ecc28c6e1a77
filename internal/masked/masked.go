package masked

import (
	"net/url"
	"regexp"
	"strings"
)

// hiddenText replaces what must not be shown.
const hiddenText = "*****"

// Name implements driver.DestinationName.
func Name(destination string) string {
	if strings.Contains(destination, "://") {
		return urlName(destination)
	}
	text := strings.ReplaceAll(strings.TrimSpace(destination), `\`, "/")
	first, rest, _ := strings.Cut(text, "/")
	switch {
	case first == "" && rest != "":
		return "/" + hiddenText
	case almostURL.MatchString(text):
		return hiddenText
	case strings.Trim(rest, "/") != "" && likeHost.MatchString(first):
		return first + "/" + hiddenText
	}
	if plain, err := url.PathUnescape(destination); err == nil && plain != destination && Name(plain) != plain {
		return hiddenText
	}
	return destination
}

func urlName(destination string) string {
	scheme, rest, _ := strings.Cut(destination, "://")
	u, err := url.Parse(destination)
	_, after := cutAny(rest, "/?#")
	// An @ after the host may be the end of a password that contains one of
	// these characters, and the apparent host its beginning.
	unclear := err != nil || strings.Contains(after, "@")
	switch {
	case unclear && plainScheme.MatchString(scheme):
		return scheme + "://" + hiddenText
	case unclear || u.Scheme == "" || u.Host == "":
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

// cutAny cuts a text before the first of these characters.
func cutAny(text, chars string) (before, after string) {
	if at := strings.IndexAny(text, chars); at >= 0 {
		return text[:at], text[at:]
	}
	return text, ""
}

// plainScheme is one that cannot be anything else.
var plainScheme = regexp.MustCompile(`^[a-z]{1,8}$`)

// A host differs from a topic by its last part, which begins with a letter, or
// by its port.
const (
	dottedHost = `[\pL\pN_-]+(\.[\pL\pN_-]+)*\.\pL[\pL\pN-]*\.?`
	anyHost    = `((` + dottedHost + `|[0-9]{1,3}(\.[0-9]{1,3}){3}|\[[^]]*\]|localhost)(:[0-9]*)?|[\pL\pN_-]+:[0-9]+)`
)

var (
	likeHost = regexp.MustCompile(`(?i)^` + anyHost + `$`)
	// almostURL is a scheme without its slashes, a password before a host, a user
	// before one, parameters, or a fragment.
	almostURL = regexp.MustCompile(`(?is)^https?:.*/|:/|:.*@|@.*/|@` + anyHost + `$|\?.|/.*#`)
)
