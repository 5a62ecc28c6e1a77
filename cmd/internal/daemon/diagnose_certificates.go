package daemon

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
)

// certificateChecks looks at the certificates of files, and at those that servers
// show.
func (d *Daemon) certificateChecks(soon time.Duration) (checks []doctor.Check) {
	files, servers := map[string]judge{}, map[string]*config.Sender{}
	note := func(file string, j judge) {
		if file != "" {
			files[file] = j
		}
	}
	note(d.config.Admin.TLS.CertFile, chain)
	for s := range d.senders {
		note(s.TLS.CertFile, chain)
		note(s.TLS.CAFile, bundle)
		for _, address := range encrypted(s) {
			servers[address] = s
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		checks = append(checks, doctor.Check{Name: "certificate", Subject: file, Look: func(context.Context) (doctor.Answer, error) {
			text, err := os.ReadFile(file)
			if err != nil {
				return doctor.Answer{}, err
			}
			return lasts(parsed(text), files[file], time.Now(), soon), nil
		}})
	}
	for _, address := range slices.Sorted(maps.Keys(servers)) {
		checks = append(checks, doctor.Check{Name: "certificate", Subject: address, Look: func(ctx context.Context) (doctor.Answer, error) {
			return shown(ctx, address, servers[address].TLS, soon)
		}})
	}
	return checks
}

// encrypted are the addresses of a sender where a connection begins with TLS.
func encrypted(s *config.Sender) (addresses []string) {
	if s.Type == "kafka" && s.TLS.Enabled {
		return s.Brokers
	}
	if s.Type == "hazelcast" && s.TLS.Enabled {
		return hazelcastConfig(s, nil, nil).Addresses
	}
	ports := map[string]string{"amqps": "5671", "rediss": "6379", "https": "443"}
	for one := range strings.SplitSeq(s.URL, ",") {
		u, err := url.Parse(one)
		if err != nil || ports[u.Scheme] == "" {
			continue
		}
		port := u.Port()
		if port == "" {
			port = ports[u.Scheme]
		}
		addresses = append(addresses, net.JoinHostPort(u.Hostname(), port))
	}
	return addresses
}

// shown looks at the certificates that a server shows. The check of the sender
// says whether they are trusted.
func shown(ctx context.Context, address string, c config.TLS, soon time.Duration) (doctor.Answer, error) {
	own, err := tlsConfig(c)
	if err != nil {
		return doctor.Answer{}, err
	}
	if own == nil {
		own = &tls.Config{}
	}
	own.InsecureSkipVerify = true
	if own.ServerName == "" {
		own.ServerName, _, _ = net.SplitHostPort(address)
	}
	conn, err := (&tls.Dialer{Config: own}).DialContext(ctx, "tcp", address)
	if err != nil {
		return doctor.Skip("no TLS connection: %v", err), nil
	}
	defer func() { _ = conn.Close() }()
	return lasts(conn.(*tls.Conn).ConnectionState().PeerCertificates, chain, time.Now(), soon), nil
}

// parsed are the certificates of a PEM file.
func parsed(text []byte) (all []*x509.Certificate) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		if c, err := x509.ParseCertificate(block.Bytes); err == nil {
			all = append(all, c)
		}
	}
	return all
}

// judge says which of some certificates has to be valid.
type judge bool

const (
	chain  judge = true  // all
	bundle judge = false // one: a file of CAs may have an old one beside its successor
)

// lasts judges by the certificate that ends first.
func lasts(all []*x509.Certificate, j judge, now time.Time, soon time.Duration) doctor.Answer {
	if len(all) == 0 {
		return doctor.Fail("name a PEM file with a certificate", "there is no certificate")
	}
	ended := func(c *x509.Certificate) bool { return c.NotAfter.Before(now) }
	first := slices.MinFunc(all, func(a, b *x509.Certificate) int { return a.NotAfter.Compare(b.NotAfter) })
	valid := slices.ContainsFunc(all, func(c *x509.Certificate) bool { return !ended(c) })
	const do = "renew it, and restart or reload what uses it"
	name, day := first.Subject.CommonName, first.NotAfter.UTC().Format("2006-01-02 15:04 UTC")
	switch {
	case ended(first) && (j == chain || !valid):
		return doctor.Fail(do, "the certificate %q ended at %s", name, day)
	case ended(first):
		return doctor.Warn(do, "the certificate %q ended at %s; another one is valid", name, day)
	case first.NotAfter.Before(now.Add(soon)):
		return doctor.Warn(do, "the certificate %q ends at %s", name, day)
	}
	return doctor.Okay("valid until %s", day)
}
