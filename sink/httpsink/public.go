package httpsink

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"
)

var errBlocked = errors.New("the address is not public, and BlockPrivate refuses it")

// refusePrivate gets the address that is about to be dialled, so no DNS answer
// can bypass it.
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

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, s := range texts {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

// special4 are the IPv4 ranges that are not public: those in IANA's registry
// that are not globally reachable, and the addresses that clouds use internally
// within public ranges.
var special4 = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16",
	"100.64.0.0/10",                                     // carrier-grade NAT, and cloud-internal
	"192.0.0.0/24",                                      // protocol assignments, and Oracle's metadata
	"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", // documentation
	"192.88.99.0/24",             // 6to4 relays
	"198.18.0.0/15",              // benchmarks
	"224.0.0.0/4", "240.0.0.0/4", // multicast, reserved
	"168.63.129.16/32", // Azure's host, which serves the machine's credentials
)

// global6 is the range of global IPv6 addresses, and special6 are the
// exceptions in it.
var (
	global6  = netip.MustParsePrefix("2000::/3")
	special6 = prefixes(
		"2001::/23",                  // protocols: Teredo, benchmarks, ORCHID
		"2001:db8::/32", "3fff::/20", // documentation
	)
)

var (
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour = netip.MustParsePrefix("2002::/16")
)

// public reports whether an address is globally reachable. An IPv6 address with
// an IPv4 address embedded in it is as public as that one.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return !within(special4, a)
	}
	b := a.As16()
	switch {
	case nat64.Contains(a):
		return public(netip.AddrFrom4([4]byte(b[12:16])))
	case !global6.Contains(a) || within(special6, a):
		return false
	case sixToFour.Contains(a):
		return public(netip.AddrFrom4([4]byte(b[2:6])))
	case b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe: // ISATAP
		return public(netip.AddrFrom4([4]byte(b[12:16])))
	}
	return true
}

func within(all []netip.Prefix, a netip.Addr) bool {
	for _, p := range all {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
