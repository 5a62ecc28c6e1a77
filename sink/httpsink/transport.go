package httpsink

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

func (c Config) transport() *http.Transport {
	dialer := &net.Dialer{Timeout: c.Timeout, KeepAlive: 30 * time.Second}
	t := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		TLSClientConfig:     c.TLS,
		TLSHandshakeTimeout: c.Timeout,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        1000,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
		// The default of 10 MB for each request that runs would be the receiver's
		// to fill.
		MaxResponseHeaderBytes: 64 << 10,
	}
	if c.BlockPrivate {
		t.Proxy = nil
		dialer.Control = refusePrivate
	}
	return t
}

// maxRedirects is enough for a path that has moved.
const maxRedirects = 3

// follow keeps to redirects that repeat the request at the same host. For any
// other, the redirect itself is the answer.
func follow(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxRedirects || req.Method != first.Method ||
		req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

var errBlocked = errors.New("the address is not public, and BlockPrivate keeps it out")

// refusePrivate is asked with the address that is about to be dialled, so no
// answer of the name service gets around it.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", errBlocked, address)
	}
	if !public(at.Addr()) {
		return fmt.Errorf("%w: %s", errBlocked, at.Addr())
	}
	return nil
}

// special are ranges that net/netip has no word for.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // carriers' networks, and clouds' own
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("fec0::/10"),
}

var (
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour = netip.MustParsePrefix("2002::/16")
)

func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	b := a.As16()
	switch { // an IPv4 address in another dress
	case nat64.Contains(a):
		return public(netip.AddrFrom4([4]byte(b[12:16])))
	case sixToFour.Contains(a):
		return public(netip.AddrFrom4([4]byte(b[2:6])))
	}
	return true
}
