package hazelcastsink

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/hazelrig"
	"github.com/sendoff-go/outbox/internal/sinkrig"
)

// The client waits forever for a member that accepts its connection and says
// nothing, whatever other members there are.
func TestAMemberThatIsFrozenIsLeftForAnother(t *testing.T) {
	frozen, sound := faultproxy.New(t, hazelrig.Address(t)), faultproxy.New(t, hazelrig.Address(t))
	frozen.Hang()
	s := open(t, Config{Addresses: []string{frozen.Addr(), sound.Addr()}, ClusterName: hazelrig.ClusterName, Unisocket: true})
	s.link.stuck = time.Second
	for range 3 {
		await.Until(t, "the other member takes a message", func() bool {
			return s.Send(t.Context(), []outbox.Message{message("any")})[0] == nil
		})
		frozen, sound = sound, frozen
		sound.Pass()
		frozen.Hang()
		frozen.Cut()
		frozen.Hang()
	}
	frozen.Pass()
}

func TestAnOutageSpendsNoAttemptAndDelaysNoOtherSink(t *testing.T) {
	l, away, steady := shared(t), newTopic(), newTopic()
	l.Listen(t, away, false)
	l.Listen(t, steady, false)
	proxy := faultproxy.New(t, hazelrig.Address(t))
	broken := Config{Addresses: []string{proxy.Addr()}, ClusterName: hazelrig.ClusterName, Unisocket: true, Timeout: 3 * time.Second, DialTimeout: 3 * time.Second}
	reg := outbox.NewRegistry()
	reg.Route("order", open(t, broken), outbox.To(away))
	reg.Route("other", open(t, Config{Addresses: []string{hazelrig.Address(t)}, ClusterName: hazelrig.ClusterName}), outbox.To(steady))
	r := sinkrig.Run(t, reg)
	arrived := func(topic string, n int) {
		t.Helper()
		ids := map[string]bool{}
		await.Until(t, "the messages have arrived", func() bool {
			for _, a := range l.Receive(t, topic, n, quiet) {
				ids[a.EventID] = true
			}
			return len(ids) >= n
		})
	}
	r.Write("order", 100)
	arrived(away, 100)
	proxy.Hang()
	r.Write("order", 100)
	r.Write("other", 50)
	r.AwaitBreaker()
	proxy.Refuse()
	r.Write("order", 100)
	r.Write("other", 50)
	arrived(steady, 100)
	proxy.Pass()
	arrived(away, 300)
	r.Stop()
}

func TestTheCertificateOfAMemberIsChecked(t *testing.T) {
	addr, trust := secured(t, hazelrig.Address(t))
	cfg := Config{Addresses: []string{addr}, ClusterName: hazelrig.ClusterName, Unisocket: true, TLS: trust}
	s := open(t, cfg)
	connected(t, s)
	sinkrig.MustSend(t, s, message("any"))
	cfg.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	s = open(t, cfg)
	sinkrig.AwayAndSays(t, s, message("any"), "ca-file")
	sinkrig.Away(t, s, message("any"), "certificate", "ca-file")
}

// secured puts a TLS proxy before a member: without a license a member has no
// TLS of its own. It returns its address and what a client has to trust.
func secured(t *testing.T, member string) (string, *tls.Config) {
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
			wg.Go(func() { join(client, member) })
		}
	})
	return l.Addr().String(), &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

func join(client net.Conn, member string) {
	defer func() { _ = client.Close() }()
	conn, err := net.Dial("tcp", member)
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
