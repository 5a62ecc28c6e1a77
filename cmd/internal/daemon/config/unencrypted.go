package config

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// unencrypted reports whether a login leaves this host without encryption.
func (s *Sender) unencrypted() bool {
	login := s.Username != "" || s.Password != "" || s.Token != ""
	for name := range s.Headers {
		login = login || strings.EqualFold(name, "authorization")
	}
	if s.TLS.Enabled {
		return false
	}
	if hosts := slices.Concat(s.Addresses, s.brokers()); len(hosts) > 0 {
		return login && slices.ContainsFunc(hosts, outside)
	}
	for one := range strings.SplitSeq(s.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || !slices.Contains(schemes[s.Type].plain, u.Scheme) || u.Scheme == "unix" {
			continue
		}
		if (login || u.User != nil) && outside(u.Host) {
			return true
		}
	}
	return false
}

// brokers are Kafka's, whose default stands in senders of every type.
func (s *Sender) brokers() []string {
	if s.Type != "kafka" {
		return nil
	}
	return s.Brokers
}

// outside reports whether an address is on another host than this.
func outside(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip, err := netip.ParseAddr(host)
	return host != "localhost" && (err != nil || !ip.IsLoopback())
}
