package sinktest

import (
	"net/url"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func secretLaws() []Law {
	return []Law{
		{
			Name:  "no answer shows the secrets of its destination",
			Why:   "answers are stored, logged and served without a login, and the path or the parameters of a URL may be all it takes to send",
			Check: check(hidesSecrets),
		},
	}
}

// secretURL is used where destinations are not URLs: users confuse sinks, and
// an error names a destination that does not exist.
const secretURL = "https://us3r:p4ssword@nowhere.invalid/p4th?p4rameter=1"

// secretDestinations returns destinations that cause several kinds of errors
// (they do not exist, contain a space, or are too long), and their secrets.
func secretDestinations(s Subject) (all, secrets []string) {
	text := secretURL
	if s.Unroutable != driver.DestinationName(s.Unroutable) {
		text = s.Unroutable
	}
	u, err := url.Parse(text)
	if err != nil {
		return []string{text}, []string{text}
	}
	for _, more := range []string{"", " *", strings.Repeat("x", 300)} {
		longer := *u
		longer.Path += more
		spelt, _ := url.PathUnescape(longer.String()) // as users write it
		all = append(all, spelt, strings.TrimPrefix(spelt, u.Scheme+"://"))
	}
	password, _ := u.User.Password()
	for _, secret := range []string{strings.Trim(u.Path, "/"), u.RawQuery, u.User.Username(), password} {
		if secret != "" {
			secrets = append(secrets, secret)
		}
	}
	return all, secrets
}

func hidesSecrets(k *kit) {
	destinations, secrets := secretDestinations(k.Subject)
	var ms []outbox.Message
	for _, d := range destinations {
		ms = append(ms, k.messagesTo(d, event("order"))...)
	}
	answers := k.within(patience, ms)
	if k.Faults != nil {
		k.Faults.Refuse()
		answers = append(answers, k.within(brief, ms)...)
		if has(k.Subject, Check) {
			answers = append(answers, k.test(brief))
		}
	}
	for _, err := range answers {
		for _, secret := range secrets {
			if strings.Contains(errorText(err), secret) {
				k.Errorf("answer %q shows %q, a secret of its destination", err, secret)
				break
			}
		}
	}
}
