package daemon

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
)

// lookAgain is how long the files of a certificate are not looked at again.
const lookAgain = time.Second

// certificate is that of an address. Its files are read again when somebody
// connects, so that a new one needs no restart; one that cannot be used is
// logged, and the old one stays in use. It is safe for concurrent use.
type certificate struct {
	files config.ServerTLS
	log   *slog.Logger

	mu      sync.Mutex
	pair    *tls.Certificate
	cert    []byte // the files of pair
	key     []byte
	looked  time.Time
	problem string // that was logged last
}

// serverTLS is the certificate of an address, or nil where none is configured.
func serverTLS(files config.ServerTLS, log *slog.Logger) (*tls.Config, error) {
	if files == (config.ServerTLS{}) {
		return nil, nil
	}
	c := &certificate{files: files, log: log}
	if _, err := c.load(); err != nil {
		return nil, fmt.Errorf("tls.cert-file and tls.key-file: %w", err)
	}
	c.looked = time.Now()
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current(), nil },
	}, nil
}

// current is the certificate to use now.
func (c *certificate) current() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) < lookAgain {
		return c.pair
	}
	c.looked = time.Now()
	changed, err := c.load()
	switch {
	case err != nil && err.Error() != c.problem:
		c.problem = err.Error()
		c.log.Error("outbox: the certificate of outbox.admin.addr cannot be read again, and the old one is still used: check outbox.admin.tls", "error", err)
	case err == nil && changed:
		c.problem = ""
		c.log.Info("outbox: outbox.admin.addr has a new certificate", "serial", c.pair.Leaf.SerialNumber.String(), "not_after", c.pair.Leaf.NotAfter)
	case err == nil:
		c.problem = "" // the old files are back
	}
	return c.pair
}

// load reads the files and reports whether they have changed. It is called with
// mu held, or before anybody else can.
func (c *certificate) load() (changed bool, err error) {
	cert, err := os.ReadFile(c.files.CertFile)
	if err != nil {
		return false, err
	}
	key, err := os.ReadFile(c.files.KeyFile)
	if err != nil {
		return false, err
	}
	if c.pair != nil && bytes.Equal(cert, c.cert) && bytes.Equal(key, c.key) {
		return false, nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return false, err
	}
	c.pair, c.cert, c.key = &pair, cert, key
	return true, nil
}
