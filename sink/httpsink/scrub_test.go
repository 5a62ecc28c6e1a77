package httpsink

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

// answered returns the error of a message that the receiver refuses with a
// reason.
func answered(t *testing.T, cfg Config, destination string, tell func(r *http.Request) string) string {
	t.Helper()
	rc := newReceiver(t)
	rc.answers(func(w http.ResponseWriter, r *http.Request, _ outbox.Received) bool {
		if strings.HasPrefix(r.URL.Path, "/moved") {
			http.Redirect(w, r, "/now-here", http.StatusTemporaryRedirect)
			return true
		}
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprint(w, "refused: ", tell(r))
		return true
	})
	m := message("a")
	m.Destination = strings.Replace(destination, "HOST", rc.host(t), 1)
	err := open(t, cfg).Send(t.Context(), []outbox.Message{m})[0]
	if err == nil || !strings.Contains(err.Error(), "refused: ") {
		t.Fatalf("got %v, expected what the receiver said", err)
	}
	return err.Error()
}

func TestAnErrorDoesNotRepeatTheSecretsOfItsRequest(t *testing.T) {
	user := func(r *http.Request) string { name, _, _ := r.BasicAuth(); return "Invalid API Key provided: " + name }
	uri := func(r *http.Request) string { return "no code " + r.URL.Query().Get("code") + " for " + r.URL.Path[1:] }
	says := func(text string) func(*http.Request) string { return func(*http.Request) string { return text } }
	for name, c := range map[string]struct {
		cfg         Config
		destination string
		tell        func(*http.Request) string
		secrets     []string
	}{
		"a key as the user of the URL":      {Config{}, "http://sk_live_4eC39@HOST/", user, []string{"4eC39"}},
		"a key as the user of the sink":     {Config{Username: "sk_live_4eC39"}, "http://HOST/", user, []string{"4eC39"}},
		"the user next to a password":       {Config{}, "http://us3r:p4ss@HOST/", user, []string{"us3r"}},
		"a short path and a short value":    {Config{}, "http://HOST/hk42xy?code=s3cr3t7", uri, []string{"hk42xy", "s3cr3t7"}},
		"a short value by itself":           {Config{}, "http://HOST/a?code=s3cr", says("code s3cr is wrong"), []string{"s3cr"}},
		"a short part of the path":          {Config{}, "http://HOST/in/hk42/x", says("no hook hk42"), []string{"hk42"}},
		"a parameter without a value":       {Config{}, "http://HOST/in?k3y1&a=b", says("no key k3y1"), []string{"k3y1"}},
		"a short header":                    {Config{Headers: map[string]string{"X-Api-Key": "k3y1"}}, "http://HOST/", says("no key k3y1"), []string{"k3y1"}},
		"a password in HTML":                {Config{Password: "p4<&>ss"}, "http://HOST/", says(html.EscapeString("not p4<&>ss")), []string{"p4", "ss"}},
		"a password in JSON":                {Config{Password: "p4<&>ss"}, "http://HOST/", says(`not p4\u003c\u0026\u003ess`), []string{"p4", "ss"}},
		"a password in a query":             {Config{Password: "p4<&>ss"}, "http://HOST/", says("not " + url.QueryEscape("p4<&>ss")), []string{"p4", "ss"}},
		"what led to a redirect":            {Config{}, "http://HOST/moved/s3cr3t", func(r *http.Request) string { return r.Referer() + " /moved/s3cr3t" }, []string{"s3cr3t"}},
		"credentials of the URL as base64":  {Config{}, "http://us3r:p4ss@HOST/", func(r *http.Request) string { return r.Header.Get("Authorization") }, []string{"dXMzcjpwNHNz"}},
		"credentials of the sink as base64": {Config{Username: "us3r", Password: "p4ss"}, "http://HOST/", func(r *http.Request) string { return r.Header.Get("Authorization") }, []string{"dXMzcjpwNHNz"}},
	} {
		err := answered(t, c.cfg, c.destination, c.tell)
		_, said, _ := strings.Cut(err, "refused: ")
		for _, secret := range c.secrets {
			if strings.Contains(said, secret) {
				t.Errorf("%s: %s shows %s", name, err, secret)
			}
		}
	}
}

func TestAnErrorKeepsWordsThatAreNotSecret(t *testing.T) {
	err := answered(t, Config{}, "http://HOST/v1/hk42xy?v=2", func(*http.Request) string { return "v1 takes no event of version 2" })
	if !strings.Contains(err, "v1 takes no event of version 2") {
		t.Errorf("got %s", err)
	}
}
