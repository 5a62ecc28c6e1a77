package daemon

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestACertificateIsReadAgainWhenItChanges(t *testing.T) {
	dir, addr := t.TempDir(), freeAddr(t)
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	first, second := x509.NewCertPool(), x509.NewCertPool()
	selfSigned(t, cert, key, first)
	r := load(t, newFile(t), "outbox: {admin: {addr: '"+addr+"', tls: {cert-file: "+cert+", key-file: "+key+"}}"+quiet)
	r.run()
	alive := func(pool *x509.CertPool) bool {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}}
		code, _ := ask(t, client, "GET", "https://"+addr+"/livez", "", "")
		return code == http.StatusOK
	}
	r.until("it answers", func() bool { return alive(first) })

	whole, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cert, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	r.until("the half certificate is logged", func() bool {
		if !alive(first) {
			t.Fatal("the old certificate is not used any more")
		}
		return strings.Contains(r.log.String(), "cannot be read again")
	})

	selfSigned(t, cert, key, second)
	r.until("the new one is used", func() bool { return alive(second) })
	if alive(first) {
		t.Error("the old one is used as well")
	}
	if n := strings.Count(r.log.String(), "has a new certificate"); n != 1 {
		t.Errorf("the new certificate was logged %d times", n)
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	r.until("the missing key is logged", func() bool {
		if !alive(second) {
			t.Fatal("the certificate is not used any more")
		}
		return strings.Contains(r.log.String(), "no such file")
	})
}
