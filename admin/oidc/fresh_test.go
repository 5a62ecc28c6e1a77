package oidc_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/oidc"
	"github.com/sendoff-go/outbox/internal/oidctest"
)

// direct asks a handler without a network, so that time can be a test's.
type direct struct{ http.Handler }

func (d direct) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("cut off")
		}
	}()
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

func TestAKeyThatIsWithdrawnIsDroppedInTime(t *testing.T) {
	issuer := oidctest.New(t)
	synctest.Test(t, func(t *testing.T) {
		p, err := oidc.New(oidc.Config{Issuer: issuer.URL, Audience: "outbox", Roles: roles, Client: &http.Client{Transport: direct{issuer.Handler}}, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		key := issuer.Key()
		known := func() error {
			req := httptest.NewRequest(http.MethodGet, "/", nil)
			req.Header.Set("Authorization", "Bearer "+key.Sign(t, nil, issuer.Claims("outbox", oncall())))
			_, err := p.Auth(req)
			return err
		}
		if err := known(); err != nil {
			t.Fatal(err)
		}
		issuer.SetDown(true)
		<-time.After(time.Hour)
		if err := known(); err != nil {
			t.Errorf("while the issuer is down: %v", err)
		}
		issuer.Rotate(oidctest.NewRSA(t, "second"))
		issuer.SetDown(false)
		<-time.After(15 * time.Minute)
		if err := known(); !errors.Is(err, admin.ErrUnauthenticated) {
			t.Errorf("15 minutes after it was withdrawn: %v", err)
		}
	})
}

// slow is a provider that takes its time.
type slow struct {
	http.RoundTripper
	takes time.Duration
}

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-time.After(s.takes):
		return s.RoundTripper.RoundTrip(r)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

func TestAProviderIsWaitedForAsLongAsTheClientSays(t *testing.T) {
	issuer := oidctest.New(t)
	issuer.Register(oidctest.App{ID: "outbox", RedirectURL: "https://shop.example.com/callback"})
	for timeout, want := range map[time.Duration]bool{0: false, time.Second: false, time.Minute: true} {
		synctest.Test(t, func(t *testing.T) {
			provider := slow{direct{issuer.Handler}, 20 * time.Second}
			p, err := oidc.New(oidc.Config{Issuer: issuer.URL, Audience: "outbox", Roles: roles, Client: &http.Client{Transport: provider, Timeout: timeout}, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Reach(t.Context()); (err == nil) != want {
				t.Errorf("reached with a timeout of %s: %v", timeout, err)
			}
			if !want {
				return
			}
			login, err := oidc.NewLogin(p, oidc.LoginConfig{RedirectURL: "https://shop.example.com/callback"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := login.Person(t.Context(), "guess", "", ""); !errors.Is(err, admin.ErrUnauthenticated) {
				t.Errorf("a code with a timeout of %s: %v", timeout, err)
			}
		})
	}
}
