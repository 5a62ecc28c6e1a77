//go:build unix

package testenv

import (
	"net/netip"
	"os"
	"syscall"
)

// Reserve is [Address] for whoever has no testing.TB. A socket that is bound, and does
// not listen, keeps the port; SO_REUSEADDR lets those in who name it.
func Reserve() (address string, release func(), err error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return "", nil, os.NewSyscallError("socket", err)
	}
	syscall.CloseOnExec(fd)
	release = func() { _ = syscall.Close(fd) }
	loopback := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	err = os.NewSyscallError("setsockopt", syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1))
	if err == nil {
		err = os.NewSyscallError("bind", syscall.Bind(fd, &syscall.SockaddrInet4{Addr: loopback.As4()}))
	}
	var name syscall.Sockaddr
	if err == nil {
		name, err = syscall.Getsockname(fd)
	}
	bound, ok := name.(*syscall.SockaddrInet4)
	if err != nil || !ok {
		release()
		return "", nil, os.NewSyscallError("getsockname", err)
	}
	return netip.AddrPortFrom(loopback, uint16(bound.Port)).String(), release, nil
}
