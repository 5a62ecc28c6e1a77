package httpsink

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

func TestADestinationIsAURLAPathOrNeither(t *testing.T) {
	rc, other := newReceiver(t), newReceiver(t)
	var paths []string
	rc.answers(func(_ http.ResponseWriter, r *http.Request, _ outbox.Received) bool {
		paths = append(paths, r.URL.RequestURI())
		return false
	})
	s := open(t, Config{URL: rc.URL + "/base/hook?x=1", Concurrency: 1})
	for _, destination := range []string{"OrderPlaced", "/hook", "", "//evil.example/hook", "order:placed", other.URL + "/hook"} {
		m := message("a")
		m.Destination = destination
		s.Send(t.Context(), []outbox.Message{m})
	}
	const base = "/base/hook?x=1"
	if got, want := strings.Join(paths, " "), strings.Join([]string{base, "/hook", base, base, base}, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := other.received(1, patience); len(got) != 1 {
		t.Errorf("%d arrived at the other host", len(got))
	}

	s = open(t, Config{})
	if err := s.Send(t.Context(), []outbox.Message{message("a")})[0]; meaning(err) != "counted" || !strings.Contains(err.Error(), "OrderPlaced") {
		t.Errorf("without a URL: %v", err)
	}
}

func TestFixedHeadersAndCredentialsAreSentAndNotShown(t *testing.T) {
	rc := newReceiver(t)
	rc.answers(func(w http.ResponseWriter, r *http.Request, _ outbox.Received) bool {
		user, password, _ := r.BasicAuth()
		if user != "me" || password != "secret-4711" || r.Header.Get("X-Fixed") != "yes" {
			t.Errorf("got %v", r.Header)
		}
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	s := open(t, Config{URL: rc.URL + "/hook?token=secret-4711", Username: "me", Password: "secret-4711", Headers: map[string]string{"x-fixed": "yes"}})
	err := s.Send(t.Context(), []outbox.Message{message("a")})[0]
	if !outbox.IsPermanent(err) || strings.Contains(err.Error(), "4711") {
		t.Errorf("got %v", err)
	}
	rc.Close()
	err = s.Send(t.Context(), []outbox.Message{message("a")})[0]
	if !outbox.IsUnavailable(err) || strings.Contains(err.Error(), "4711") {
		t.Errorf("got %v", err)
	}
}

func TestTheCertificateOfAReceiverIsChecked(t *testing.T) {
	rc := &receiver{more: make(chan struct{}, 1)}
	rc.Server = httptest.NewUnstartedServer(rc)
	rc.EnableHTTP2 = true
	rc.StartTLS()
	t.Cleanup(rc.Close)
	roots := x509.NewCertPool()
	roots.AddCert(rc.Certificate())
	s := open(t, Config{URL: rc.URL + "/hook", TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}})
	if err := s.Send(t.Context(), []outbox.Message{message("a")})[0]; err != nil {
		t.Error(err)
	}
	if err := open(t, Config{URL: rc.URL + "/hook"}).Send(t.Context(), []outbox.Message{message("a")})[0]; !outbox.IsUnavailable(err) {
		t.Errorf("with an untrusted certificate: %v", err)
	}
}

func TestPrivateAddressesAreRefusedWhateverTheirName(t *testing.T) {
	rc := newReceiver(t)
	s := open(t, Config{BlockPrivate: true})
	for _, destination := range []string{rc.URL + "/hook", strings.Replace(rc.URL, "127.0.0.1", "localhost", 1) + "/hook"} {
		m := message("a")
		m.Destination = destination
		err := s.Send(t.Context(), []outbox.Message{m})[0]
		if meaning(err) != "counted" || !strings.Contains(err.Error(), "BlockPrivate") {
			t.Errorf("%s: %v", destination, err)
		}
	}
	if got := rc.received(0, 0); len(got) > 0 {
		t.Error("an event arrived")
	}
}

func TestPublicAddressesAreGloballyReachable(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "64:ff9b::5db8:d822": true, "2002:5db8:d822::1": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false,
		"100.100.1.1": false, "0.0.0.0": false, "0.1.2.3": false, "224.0.0.1": false, "255.255.255.255": false, "198.18.0.1": false,
		"::1": false, "::": false, "fe80::1": false, "fd00::1": false, "ff02::1": false, "::ffff:10.0.0.1": false,
		"64:ff9b::a00:1": false, "2002:7f00:1::": false, "fec0::1": false,
		// Cloud-internal addresses.
		"168.63.129.16": false, "168.63.129.15": true, "100.100.100.200": false, "192.0.0.192": false, "fd00:ec2::254": false,
		"fd20:ce::254": false, "64:ff9b::a83f:8110": false, "2002:a83f:8110::1": false, "::ffff:168.63.129.16": false,
		// The registries of special addresses, and IPv4 embedded in IPv6.
		"192.88.99.1": false, "192.0.2.1": false, "198.51.100.7": false, "203.0.113.9": false, "198.19.255.255": false, "240.0.0.1": false,
		"100.63.255.255": true, "100.128.0.1": true, "192.31.196.1": true, "198.20.0.1": true,
		"2001::1": false, "2001:0:4136:e378:8000:63bf:3fff:fdd2": false, "2001:2::1": false, "2001:10::1": false, "2001:20::1": false,
		"2001:1ff::1": false, "2001:200::1": true, "2001:db8::1": false, "3fff::1": false, "3fff:1000::1": true, "5f00::1": false,
		"::127.0.0.1": false, "::7f00:1": false, "::93.184.216.34": false, "::2": false, "64:ff9b:1::a00:1": false, "100::1": false,
		"100:0:0:1::1": false, "4000::1": false, "fc00::1": false, "2606:2800:220:1:0:5efe:a00:1": false, "2606:2800:220:1:200:5efe:7f00:1": false,
		"2606:2800:220:1:0:5efe:5db8:d822": true, "::ffff:0:127.0.0.1": false, "64:ff9b::": false,
	} {
		if got := public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: public is %t, want %t", address, got, want)
		}
	}
}

func TestConfigErrorsSayWhatToDoAndShowNoSecret(t *testing.T) {
	for want, cfg := range map[string]Config{
		"write http":          {URL: "ftp://u:topsecret@host/"},
		"cannot be used":      {URL: "http://u:topsecret%zz@host/"},
		"openssl":             {Secrets: []string{"whsec_topsecret"}},
		"Binary":              {Mode: 7},
		"not be negative":     {Timeout: -time.Second},
		"control character":   {Headers: map[string]string{"a": "b\r\nc"}},
		"not a URI reference": {Source: "http://[topsecret"},
	} {
		_, err := New(cfg)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ...%s...", err, want)
		}
		if err != nil && cfg.Source == "" && strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%v shows a secret", err)
		}
	}
}
