package admin

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// addressOf names the address that a request comes from. The header
// X-Forwarded-For is believed as far as proxies that are trusted have written
// it: from the right, until an address that is not one of theirs. An IPv6
// address is named by its /64 network, since one host may have all of it.
func addressOf(r *http.Request, trusted []netip.Prefix) string {
	own, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // not TCP
	}
	at := own.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(at.WithZone("")) }) {
			break
		}
		before, ok := parseHop(hop)
		if !ok {
			break
		}
		at = before
	}
	if at.Is6() {
		network, _ := at.WithZone("").Prefix(64) // it has that many bits
		return network.String()
	}
	return at.String()
}

// parseHop reads an entry of X-Forwarded-For, which some proxies write with a
// port.
func parseHop(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if at, err := netip.ParseAddr(strings.Trim(hop, "[]")); err == nil {
		return at.Unmap(), true
	}
	at, err := netip.ParseAddrPort(hop)
	return at.Addr().Unmap(), err == nil
}
