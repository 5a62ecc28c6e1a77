//go:build !unix

package testenv

import "net"

// Reserve is [Address] for whoever has no testing.TB. Here nothing keeps the port.
func Reserve() (address string, release func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	return l.Addr().String(), func() {}, l.Close()
}
