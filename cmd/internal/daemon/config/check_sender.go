package config

import (
	"net"
	"regexp"
	"slices"
	"strings"
	"time"
)

// schemes are those of a sender's URL: without encryption, and with.
var schemes = map[string]struct {
	plain, secure []string
	example       string
}{
	"rabbit_mq": {[]string{"amqp"}, []string{"amqps"}, "amqp://user:password@host:5672/vhost"},
	"nats":      {[]string{"nats", "ws"}, []string{"tls", "wss"}, "nats://host:4222"},
	"redis":     {[]string{"redis", "unix"}, []string{"rediss"}, "redis://host:6379/0"},
	"http":      {[]string{"http"}, []string{"https"}, "https://host/path"},
}

func (l *loader) checkSender(path []string, s *Sender) {
	at, description := dotted(path), root.find("publisher").find("sender")
	if s.Type == "" {
		if !l.problems.within(append([]string{root.name}, path...)) {
			l.wrong(at+".type", "is missing: use one of %s", strings.Join(description.find("type").enum, ", "))
		}
		return
	}
	for _, k := range description.keys {
		if k.senders == nil || slices.Contains(k.senders, s.Type) {
			continue
		}
		if l.config.Was(at+"."+k.name) || l.touched(at+"."+k.name) {
			l.wrong(at+"."+k.name, "does not apply to type %s, only to %s", s.Type, strings.Join(k.senders, ", "))
		}
	}
	switch s.Type {
	case "kafka":
		l.checkKafka(at, s)
	case "redis":
		l.checkHosts(at+".addresses", s.Addresses, "6379")
		if s.URL != "" && len(s.Addresses) > 0 {
			l.wrong(at+".addresses", "and url are both set: remove one of them")
			return
		}
	case "hazelcast":
		l.checkHosts(at+".addresses", s.Addresses, "5701")
	case "http":
		if s.URL == "" {
			l.wrong(at+".url", "is missing: http needs the URL to POST to")
			return
		}
	}
	if slices.Contains(description.find("url").senders, s.Type) {
		l.checkURL(at, s)
	}
	if slices.Contains(description.find("tls").senders, s.Type) {
		l.checkTLS(at, s)
	}
}

func (l *loader) checkKafka(at string, s *Sender) {
	if s.EmergencyTimeout.Std() < time.Second {
		l.wrong(at+".emergency-timeout", "is %s: Kafka needs at least 1s", s.EmergencyTimeout)
	}
	l.checkHosts(at+".brokers", s.Brokers, "9092")
	if len(s.Brokers) == 0 {
		l.wrong(at+".brokers", "is empty: name at least one broker as host:port")
	}
}

// hostPort is a host and a port, neither of which may be left out.
var hostPort = regexp.MustCompile(`^(\[[0-9A-Fa-f:.%]+\]|[\pL\pN._-]+):[0-9]+$`)

// checkHosts quotes only what cannot hold a password.
func (l *loader) checkHosts(at string, hosts []string, port string) {
	for _, h := range hosts {
		switch {
		case hostPort.MatchString(h):
		case plainHost.MatchString(h):
			l.wrong(at, "%q is not host:port: write %s", h, net.JoinHostPort(strings.Trim(h, ":[]"), port))
		default:
			l.wrong(at, "%q is not host:port: write each as host:port, without a scheme, a path or a login, which has keys of its own", masked)
		}
	}
}

// checkURL shows nothing of the URL: it may hold a password.
func (l *loader) checkURL(at string, s *Sender) {
	known, urls := schemes[s.Type], []string{s.URL}
	if s.Type == "rabbit_mq" || s.Type == "nats" {
		urls = strings.Split(s.URL, ",")
	}
	for _, one := range urls {
		scheme, rest, found := strings.Cut(strings.TrimSpace(one), "://")
		switch {
		case s.URL == "":
		case !found || rest == "" || !plainName.MatchString(scheme):
			l.wrong(at+".url", "is not a URL: write %s", known.example)
			return
		case !slices.Contains(slices.Concat(known.plain, known.secure), strings.ToLower(scheme)):
			l.wrong(at+".url", "begins with %s://, which type %s does not support: write %s", scheme, s.Type, known.example)
			return
		}
	}
}

func (l *loader) checkTLS(at string, s *Sender) {
	known := schemes[s.Type]
	scheme, _, _ := strings.Cut(strings.ToLower(s.URL), "://")
	asked := slices.Contains(known.secure, scheme)
	switch {
	case !s.TLS.Enabled && s.TLS != (TLS{}) && !asked:
		l.wrong(at+".tls.enabled", "is false, so the other keys of tls would have no effect: set it to true")
	case !s.TLS.Enabled || asked || slices.Contains([]string{"kafka", "nats", "hazelcast"}, s.Type) || len(s.Addresses) > 0:
	case s.URL == "":
		l.wrong(at+".tls.enabled", "is true, but without url the sender connects to %s://localhost, unencrypted: set url to one that begins with %s://", known.plain[0], known.secure[0])
	case slices.Contains(known.plain, scheme):
		l.wrong(at+".tls.enabled", "is true, but url begins with %s://: write %s:// (and check the port)", scheme, known.secure[0])
	}
	if (s.TLS.CertFile == "") != (s.TLS.KeyFile == "") {
		l.wrong(at+".tls", "needs cert-file and key-file together, or neither")
	}
}
