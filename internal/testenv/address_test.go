package testenv

import (
	"errors"
	"net"
	"syscall"
	"testing"
)

func TestAnAddressIsKeptForTheTestThatAskedForIt(t *testing.T) {
	address := Address(t)
	for range 2 {
		if _, err := net.Dial("tcp", address); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("somebody listens: %v", err)
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(conn.Close(), l.Close()); err != nil {
			t.Error(err)
		}
	}
	for range 100 { // alike, of which none may be it
		if other := Address(t); other == address {
			t.Fatalf("%s is given away", address)
		}
	}
}
