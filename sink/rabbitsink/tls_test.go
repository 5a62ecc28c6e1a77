package rabbitsink

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

func TestTheCertificateOfABrokerIsChecked(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	b.queue(exchange, "#", nil)
	addr, trust := secured(t, hostOf(t))
	url := "amqps" + through(t, addr)[len("amqp"):]
	var batch []outbox.Message
	for range 100 {
		batch = append(batch, message(exchange, "a"))
	}
	delivered(t, open(t, Config{URL: url, TLS: trust}).Send(t.Context(), batch))
	if err := open(t, Config{URL: url}).Send(t.Context(), batch)[0]; !outbox.IsUnavailable(err) {
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
