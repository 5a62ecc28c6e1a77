package redissink

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
)

func TestTheCertificateOfAServerIsChecked(t *testing.T) {
	client := dial(t)
	stream := newStream(t, client)
	addr, trust := secured(t, address(t).Host)
	if err := open(t, Config{URL: "rediss://" + addr + "/0", TLS: trust}).Send(t.Context(), []outbox.Message{message(stream)})[0]; err != nil {
		t.Error(err)
	}
	if err := open(t, Config{URL: "rediss://" + addr + "/0"}).Send(t.Context(), []outbox.Message{message(stream)})[0]; !outbox.IsUnavailable(err) {
		t.Errorf("with an untrusted certificate: %v", err)
	}
}

// secured puts a TLS proxy before a server, and returns its address and what a
// client has to trust.
func secured(t *testing.T, server string) (string, *tls.Config) {
	t.Helper()
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Close()
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); wg.Wait() })
	wg.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { join(client, server) })
		}
	})
	return l.Addr().String(), &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

func join(client net.Conn, server string) {
	defer func() { _ = client.Close() }()
	conn, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		_, _ = io.Copy(conn, client)
		_ = conn.Close()
	})
	_, _ = io.Copy(client, conn)
	_ = client.Close()
	wg.Wait()
}
