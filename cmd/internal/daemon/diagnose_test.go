package daemon

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/internal/testenv"
)

func readConfig(t *testing.T, content string) *config.Config {
	t.Helper()
	c, _, err := config.Read("outbox.yaml", []byte(content), []string{"OUTBOX_DATABASE_URL=sqlite://none.db"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// diagnosed runs the checks of a configuration, by name and subject.
func diagnosed(t *testing.T, content string) map[string]doctor.Finding {
	t.Helper()
	checks, closeAll, err := Diagnose(readConfig(t, content), drivers, 30*24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := closeAll(); err != nil {
			t.Error(err)
		}
	}()
	found := map[string]doctor.Finding{}
	for _, f := range doctor.Run(t.Context(), checks, patience, 4) {
		found[strings.TrimSpace(f.Check+" "+f.Subject)] = f
	}
	return found
}

func wantFinding(t *testing.T, found map[string]doctor.Finding, name string, state doctor.State, seen string) {
	t.Helper()
	f, ok := found[name]
	if !ok || f.State != state || !strings.Contains(f.Seen, seen) {
		t.Errorf("%s is %s: %s; expected %s: %s; all: %v", name, f.State, f.Seen, state, seen, found)
	}
	if (state == doctor.Warning || state == doctor.Failure) && f.Do == "" {
		t.Errorf("%s does not say what to do", name)
	}
}

func TestAMissingTopicIsDiagnosed(t *testing.T) {
	k := openKafka(t)
	topic := k.topic(t)
	found := diagnosed(t, fmt.Sprintf("outbox: {publisher: {sender: {type: kafka, brokers: [%q]}, events: {a: {topic: %s}, b: {topic: %[2]s-not}, 'c-*': {}}}}", k.broker, topic))
	wantFinding(t, found, "sender default", doctor.OK, "it answers")
	wantFinding(t, found, "destination default "+topic, doctor.OK, "")
	wantFinding(t, found, "destination default "+topic+"-not", doctor.Failure, "does not exist")
	wantFinding(t, found, "destination default c-*", doctor.Skipped, "each event type")
}

func TestASenderThatIsDownIsDiagnosed(t *testing.T) {
	hook := newHook(t)
	at := testenv.Address(t)
	found := diagnosed(t, fmt.Sprintf(`outbox:
  admin: {addr: %q}
  publisher:
    sender: {type: redis, url: "redis://%[1]s/0"}
    senders: {hook: {type: http, url: %q}, rabbit: {type: rabbit_mq, url: "amqp://guest:guest@%[1]s/"}}
    events: {a: {topic: t}, b: {sender: hook, topic: /in}, c: {sender: rabbit}}
`, at, hook.URL))
	wantFinding(t, found, "sender default", doctor.Failure, "refused")
	wantFinding(t, found, "destination default t", doctor.Skipped, "does not answer")
	wantFinding(t, found, "sender rabbit", doctor.Failure, "refused")
	wantFinding(t, found, "sender hook", doctor.OK, "")
	wantFinding(t, found, "admin "+at, doctor.Warning, "nobody answers")
}

func TestWhoeverAnswersAtTheAdminAddressIsDiagnosed(t *testing.T) {
	for _, c := range []struct {
		code  int
		text  string
		state doctor.State
		seen  string
	}{
		{200, "ready\n", doctor.OK, "ready"}, {503, "waiting for the database", doctor.Warning, "waiting"},
		{404, "", doctor.Failure, "another program"}, {200, "hello", doctor.Failure, "another program"},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.code)
			_, _ = w.Write([]byte(c.text))
		}))
		addr := srv.Listener.Addr().String()
		wantFinding(t, diagnosed(t, fmt.Sprintf("outbox: {admin: {addr: %q}}", addr)), "admin "+addr, c.state, c.seen)
		srv.Close()
	}
}

// lastingCertificate writes one that ends after a time.
func lastingCertificate(t *testing.T, dir, name string, lasts time.Duration) (cert, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: now.Add(-1000 * time.Hour), NotAfter: now.Add(lasts),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, secret.Public(), secret)
	if err != nil {
		t.Fatal(err)
	}
	pkcs, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestCertificatesThatEndAreDiagnosed(t *testing.T) {
	dir := t.TempDir()
	gone, goneKey := lastingCertificate(t, dir, "gone", -time.Hour)
	soon, soonKey := lastingCertificate(t, dir, "soon", 24*time.Hour)
	long, _ := lastingCertificate(t, dir, "long", 1000*time.Hour)
	srv := httptest.NewTLSServer(http.NotFoundHandler())
	defer srv.Close()
	found := diagnosed(t, fmt.Sprintf(`outbox:
  admin: {addr: %q, tls: {cert-file: %q, key-file: %q}}
  publisher:
    sender: {type: http, url: %q, tls: {ca-file: %q, cert-file: %q, key-file: %q}}
    events: {a: {topic: /in}}
`, testenv.Address(t), gone, goneKey, srv.URL, long, soon, soonKey))
	wantFinding(t, found, "certificate "+gone, doctor.Failure, `"gone" ended`)
	wantFinding(t, found, "certificate "+soon, doctor.Warning, `"soon" ends`)
	wantFinding(t, found, "certificate "+long, doctor.OK, "valid until")
	wantFinding(t, found, "certificate "+srv.Listener.Addr().String(), doctor.OK, "valid until") // what it shows, whoever trusts it
	wantFinding(t, found, "sender default", doctor.Failure, "certificate")
}
