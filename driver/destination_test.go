package driver_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sendoff-go/outbox/driver"
)

func TestADestinationIsNamedWithoutItsSecrets(t *testing.T) {
	for destination, want := range map[string]string{
		"":                                       "",
		"orders":                                 "orders",
		"orders.eu-1_placed":                     "orders.eu-1_placed",
		"tenant@eu":                              "tenant@eu",
		"/":                                      "/",
		"/hook/p4ss":                             "/*****",
		"//host/p4ss":                            "/*****",
		"https://host":                           "https://host",
		"https://host/":                          "https://host/",
		"https://host:8443/hook/p4ss":            "https://host:8443/*****",
		"https://host?p4ss":                      "https://host/*****",
		"https://host/#p4ss":                     "https://host/*****",
		"https://me:p4ss@host/?code=p4ss":        "https://*****@host/*****",
		"HTTPS://p4ss@host":                      "https://*****@host",
		"https://me:p4/ss@host":                  "https://*****",
		"https://me:p4%zzss@host/":               "https://*****",
		"p4ss://":                                "*****",
		"me:p4ss@host/hook":                      "*****",
		"host/hook?token=p4ss":                   "*****",
		"mailto:p4ss@host":                       "*****",
		"amqp://me:p4ss@host:5672/vhost":         "amqp://*****@host:5672/*****",
		"a://b://p4ss":                           "a://b:/*****",
		"https://[::1]:80/p4ss":                  "https://[::1]:80/*****",
		"https://host/%2e%2e/p4ss?sig=p4ss#p4ss": "https://host/*****",

		// A password with a character that ends the host.
		"https://me:2024/p4ss@host":   "https://*****",
		"https://me:2024#p4ss@host/":  "https://*****",
		"https://me:2024?p4ss@host/":  "https://*****",
		"https://me:p@p4ss/x@host":    "https://*****",
		"me:2024/p4ss@host":           "*****",
		"https://me:2024,p4ss@host/x": "https://*****@host/*****",

		// What was meant to be a URL.
		"https:/hooks.example.com/services/p4ss": "*****",
		"https:host/p4ss":                        "*****",
		"HTTP:host/p4ss":                         "*****",
		`https:\\host\p4ss`:                      "*****",
		" https://host/p4ss":                     "*****",
		" /p4ss":                                 "/*****",
		"hooks.example.com/services/p4ss":        "hooks.example.com/*****",
		`hooks.example.com\services\p4ss`:        "hooks.example.com/*****",
		"hooks.example.com.:443/p4ss":            "hooks.example.com.:443/*****",
		"hooks.example.com%2Fservices%2Fp4ss":    "*****",
		"bücher.example/p4ss":                    "bücher.example/*****",
		"10.1.2.3/p4ss":                          "10.1.2.3/*****",
		"[::1]/p4ss":                             "[::1]/*****",
		"localhost/p4ss":                         "localhost/*****",
		"hook:8080/p4ss":                         "hook:8080/*****",
		"host/x?p4ss":                            "*****",
		"host?p4ss":                              "*****",
		"host/x#p4ss":                            "*****",
		"p4ss@hooks.example.com":                 "*****",
		"p4ss@host/hook":                         "*****",
	} {
		got := driver.DestinationName(destination)
		if got != want {
			t.Errorf("%q is named %q, want %q", destination, got, want)
		}
		if again := driver.DestinationName(got); again != got {
			t.Errorf("%q is named %q", got, again)
		}
	}
}

func TestTheNameOfATopicIsItself(t *testing.T) {
	for _, topic := range []string{
		"orders", "orders.placed", "orders.placed.v2", "a/b", "orders/eu/placed", "exchange/routing.key", "v1.2/orders",
		"app:orders", "app:orders:7", "app:orders/eu", "{app}:orders", "http:requests", "urn:outbox", "urn:shop:a/b",
		"orders (new)", "orders#eu", "orders*", "key=value", "100%", "100%25", "hooks.example.com", "kafka:9092", "bücher",
		"amq.topic", "tenant@eu", "$system", "~/x", "orders.placed/", "*****",
	} {
		if got := driver.DestinationName(topic); got != topic {
			t.Errorf("%q is named %q", topic, got)
		}
	}
}

func FuzzDestinationName(f *testing.F) {
	for _, s := range []string{"https://me:p4ss@host/hook?a=b#c", "/a/b", "orders", "a:b@c", "h.example/a", "https:/a%2fb", `\\a`, "[::1]/a", "a@b.c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := driver.DestinationName(s)
		if again := driver.DestinationName(got); again != got {
			t.Errorf("%q is named %q, and that %q", s, got, again)
		}
	})
}

func TestAnErrorNamesItsDestinationWithoutSecrets(t *testing.T) {
	const hook = "https://me:p4ss@host/hook"
	cause := errors.New("refused")
	err := driver.DestinationError(fmt.Errorf("no exchange '%s' in vhost '/': %w", hook, cause), hook)
	if got, want := err.Error(), "no exchange 'https://*****@host/*****' in vhost '/': refused"; got != want || !errors.Is(err, cause) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnErrorWithoutSecretsIsItself(t *testing.T) {
	err := errors.New("no exchange 'orders'")
	for _, destination := range []string{"orders", "https://host/hook", ""} {
		if driver.DestinationError(err, destination) != err { //nolint:errorlint // the very same
			t.Errorf("%q made it another one", destination)
		}
	}
	if driver.DestinationError(nil, "https://host/hook") != nil {
		t.Error("nil became an error")
	}
}
