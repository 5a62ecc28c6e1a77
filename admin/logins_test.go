package admin_test

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// from sends a request from an address, which proxies may have passed on.
func (r *rig) from(remote string, token admin.Role, forwarded ...string) answer {
	r.t.Helper()
	return r.send(token, "GET", "/api/v1/status", "", func(req *http.Request) {
		req.RemoteAddr = remote
		for _, f := range forwarded {
			req.Header.Add("X-Forwarded-For", f)
		}
	})
}

func limited(c *admin.Config) { c.FailedLogins = 6 }

func TestWhoGuessesIsNotToldThatAGuessIsRight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, limited)
		for range 6 {
			problem(t, "a guess", r.from("10.0.0.1:1000", "wrong"), http.StatusUnauthorized)
		}
		for _, token := range []admin.Role{"wrong", admin.Admin, ""} {
			a := r.from("10.0.0.1:2000", token)
			if problem(t, "blocked: "+string(token), a, http.StatusTooManyRequests); a.header.Get("Retry-After") != "10" {
				t.Errorf("Retry-After is %q, want 10", a.header.Get("Retry-After"))
			}
		}
		r.want(200, r.from("10.0.0.2:1000", admin.Admin), nil)
		if n := strings.Count(r.log.String(), "address=10.0.0.1"); n != 1 {
			t.Errorf("logged %d times: %s", n, r.log)
		}
		<-time.After(10 * time.Second)
		r.want(200, r.from("10.0.0.1:3000", admin.Admin), nil)
		problem(t, "one more guess", r.from("10.0.0.1:1000", "wrong"), http.StatusUnauthorized)
		problem(t, "and another", r.from("10.0.0.1:1000", admin.Admin), http.StatusTooManyRequests)
	})
}

func TestRequestsWithoutCredentialsAreNoGuesses(t *testing.T) {
	r := newRig(t, limited)
	for range 20 {
		problem(t, "no credentials", r.from("10.0.0.1:1000", ""), http.StatusUnauthorized)
	}
	r.want(200, r.from("10.0.0.1:1000", admin.Viewer), nil)
}

func TestAnAuthThatFailsCountsAsNoGuess(t *testing.T) {
	down := true
	r := newRig(t, limited, func(c *admin.Config) {
		tokens := c.Auth
		c.Auth = func(r *http.Request) (admin.Person, error) {
			if down {
				return admin.Person{}, errors.New("no answer")
			}
			return tokens(r)
		}
	})
	for range 20 {
		problem(t, "down", r.from("10.0.0.1:1000", "wrong"), http.StatusServiceUnavailable)
	}
	down = false
	r.want(200, r.from("10.0.0.1:1000", admin.Viewer), nil)
}

func TestTheAddressIsTheOneThatTrustedProxiesName(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, c := range map[string]struct {
		remote    string
		guesser   []string // X-Forwarded-For
		other     []string
		otherFrom string
		trusted   []netip.Prefix
		apart     bool
	}{
		"nobody is trusted":          {"10.0.0.1:1", []string{"1.1.1.1"}, []string{"2.2.2.2"}, "10.0.0.1:2", nil, false},
		"a proxy tells them apart":   {"10.0.0.1:1", []string{"1.1.1.1"}, []string{"2.2.2.2"}, "10.0.0.1:2", proxies, true},
		"several proxies":            {"10.0.0.1:1", []string{"1.1.1.1, 10.0.0.7"}, []string{"2.2.2.2:99", "10.0.0.7"}, "10.0.0.1:2", proxies, true},
		"what a client adds is void": {"10.0.0.1:1", []string{"8.8.8.8, 1.1.1.1"}, []string{"9.9.9.9", "1.1.1.1"}, "10.0.0.1:2", proxies, false},
		"a client is no proxy":       {"1.1.1.1:1", []string{"8.8.8.8"}, []string{"9.9.9.9"}, "1.1.1.1:2", proxies, false},
		"what is no address is void": {"10.0.0.1:1", []string{"8.8.8.8, x"}, []string{"9.9.9.9, y"}, "10.0.0.1:2", proxies, false},
		"an IPv6 network is one":     {"[2001:db8::1]:1", nil, nil, "[2001:db8::ffff:2]:2", nil, false},
		"another is another":         {"[2001:db8::1]:1", nil, nil, "[2001:db8:0:1::1]:2", nil, true},
		"IPv4 in IPv6 is IPv4":       {"[::ffff:1.1.1.1]:1", nil, nil, "1.1.1.1:1", nil, false},
		"and each is another":        {"[::ffff:1.1.1.1]:1", nil, nil, "[::ffff:1.1.1.2]:1", nil, true},
		"a proxy of IPv6":            {"[fd00::1]:1", []string{"[2001:db8::1]:77"}, []string{"2001:db8:1::1"}, "[fd00::1]:2", proxies, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // where no time passes in which the guesser may go on
				r := newRig(t, limited, func(cfg *admin.Config) { cfg.TrustedProxies = c.trusted })
				for range 6 {
					problem(t, "a guess", r.from(c.remote, "wrong", c.guesser...), http.StatusUnauthorized)
				}
				if a := r.from(c.otherFrom, admin.Viewer, c.other...); (a.status == http.StatusOK) != c.apart {
					t.Errorf("the other gets %d", a.status)
				}
			})
		})
	}
}

// slow is a store whose status takes until it is let go.
type slow struct {
	*memstore.Store
	entered, leave chan struct{}
}

func (s slow) Stats(ctx context.Context) (driver.Stats, error) {
	s.entered <- struct{}{}
	<-s.leave
	return s.Store.Stats(ctx)
}

func TestOnlySoManyRequestsAreServedAtOnce(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	r := newRig(t, func(c *admin.Config) {
		c.Concurrent, c.Store = 2, slow{c.Store.(*memstore.Store), entered, leave}
	})
	served := make(chan answer)
	for range 2 {
		go func() { served <- r.send(admin.Viewer, "GET", "/api/v1/status", "") }()
		<-entered
	}
	a := r.send(admin.Viewer, "GET", "/api/v1/audit", "")
	if problem(t, "one too many", a, http.StatusServiceUnavailable); a.header.Get("Retry-After") == "" {
		t.Error("no header Retry-After")
	}
	close(leave)
	for range 2 {
		r.want(200, <-served, nil)
	}
	r.want(200, r.send(admin.Viewer, "GET", "/api/v1/audit", ""), nil)
}

func TestAParameterThatComesTwiceIsRefused(t *testing.T) {
	r := newRig(t)
	for query, want := range map[string]string{
		"type=a&type=b":   `has \"type\" 2 times`,
		"limit=1&limit=1": `has \"limit\" 2 times`,
		"type=a&%74ype=b": `has \"type\" 2 times`,
		"type=a;type=b":   "not well-formed",
		"type=%zz":        "not well-formed",
		"x=1&x=2&" + strings.Repeat("y", 500) + "=1": "times",
	} {
		a := r.send(admin.Viewer, "GET", "/api/v1/dead-letters?"+query, "")
		if problem(t, query, a, http.StatusUnprocessableEntity); !strings.Contains(a.text, want) {
			t.Errorf("%s: %s", query, a.text)
		}
	}
}
