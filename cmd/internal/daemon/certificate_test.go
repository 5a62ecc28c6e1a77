package daemon

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestACertificateIsReadAgainWhenItChanges(t *testing.T) {
	dir, addr := t.TempDir(), testenv.Address(t)
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	first, second := x509.NewCertPool(), x509.NewCertPool()
	selfSigned(t, cert, key, first)
	r := load(t, newFile(t), "outbox: {admin: {addr: '"+addr+"', tls: {cert-file: "+cert+", key-file: "+key+"}}"+quiet)
	r.run()
	// A daemon that stands still shows none, which says nothing about the one it uses.
	shows := func(pool *x509.CertPool) (this, another bool) {
		conn, err := tls.Dial("tcp", addr, &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12})
		if err != nil {
			return false, errors.As(err, new(*tls.CertificateVerificationError))
		}
		_ = conn.Close() // nothing was sent
		return true, false
	}
	r.until("it answers", func() bool { this, _ := shows(first); return this })

	whole, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cert, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	r.until("the half certificate is logged", func() bool {
		if _, another := shows(first); another {
			t.Fatal("the old certificate is not used any more")
		}
		return strings.Contains(r.log.String(), "cannot be read again")
	})

	selfSigned(t, cert, key, second)
	r.until("the new one is used", func() bool { this, _ := shows(second); return this })
	if this, _ := shows(first); this {
		t.Error("the old one is used as well")
	}
	if n := strings.Count(r.log.String(), "has a new certificate"); n != 1 {
		t.Errorf("the new certificate was logged %d times", n)
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	r.until("the missing key is logged", func() bool {
		if _, another := shows(second); another {
			t.Fatal("the certificate is not used any more")
		}
		return strings.Contains(r.log.String(), "no such file")
	})
}
