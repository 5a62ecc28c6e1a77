package relay

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"
	"time"
)

// get is what a client says of a server.
func get(ctx context.Context, t *testing.T, c *http.Client, address string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := c.Do(req)
	if err == nil {
		_ = answer.Body.Close()
		t.Fatalf("%s answered", address)
	}
	return err
}

// server runs for the test.
func server(t *testing.T, start func(http.Handler) *httptest.Server, f http.HandlerFunc) string {
	t.Helper()
	s := start(f)
	s.Config.ErrorLog = nil
	t.Cleanup(s.Close)
	return s.URL
}

func hangUp(w http.ResponseWriter, _ *http.Request) {
	if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
		_ = c.Close()
	}
}

func TestErrorsOfTheNetworkAreKnown(t *testing.T) {
	const closed = "127.0.0.1:1" // one that was free a moment ago may be somebody's by now
	hold := make(chan struct{})
	hang := server(t, httptest.NewServer, func(http.ResponseWriter, *http.Request) { <-hold })
	t.Cleanup(func() { close(hold) })
	secure := server(t, httptest.NewTLSServer, func(http.ResponseWriter, *http.Request) {})
	plain := server(t, httptest.NewServer, func(http.ResponseWriter, *http.Request) {})
	_, dialed := net.Dial("tcp", closed)
	_, shaken := tls.Dial("tcp", plain[len("http://"):], nil)
	for name, err := range map[string]error{
		"a server that is not there":       get(t.Context(), t, &http.Client{}, "http://"+closed),
		"a port that nobody listens on":    fmt.Errorf("mail: %w", dialed),
		"a connection that is hung up":     get(t.Context(), t, &http.Client{}, server(t, httptest.NewServer, hangUp)),
		"a server that does not answer":    get(t.Context(), t, &http.Client{Timeout: time.Millisecond}, hang),
		"a certificate of an unknown hand": get(t.Context(), t, &http.Client{}, secure),
		"a certificate of another host":    x509.HostnameError{Host: "other", Certificate: &x509.Certificate{}},
		"a server that speaks no TLS":      shaken,
		"a name that is unknown":           &net.DNSError{Err: "no such host", Name: "mail.invalid", IsNotFound: true},
		"a reset by its number":            errors.Join(errors.New("one of two"), syscall.ECONNRESET),
		"a broken pipe":                    os.NewSyscallError("write", syscall.EPIPE),
		"a deadline of a connection":       &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded},
		"a bad connection to a database":   fmt.Errorf("query: %w", driver.ErrBadConn),
	} {
		if !isNetworkError(err) {
			t.Errorf("%s: %v (%T) is not taken for an error of the network", name, err, err)
		}
	}
}

func TestErrorsOfTheEventAreNotThoseOfTheNetwork(t *testing.T) {
	hold := make(chan struct{})
	hang := server(t, httptest.NewServer, func(http.ResponseWriter, *http.Request) { <-hold })
	t.Cleanup(func() { close(hold) })
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	gone, end := context.WithCancel(t.Context())
	end()
	_, noPort := net.Dial("tcp", "127.0.0.1")
	_, noNetwork := net.Dial("tpc", "127.0.0.1:1")
	for name, err := range map[string]error{
		"an address without a port":      get(t.Context(), t, &http.Client{Transport: &http.Transport{Proxy: nil, DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, noPort }}}, hang),
		"an unknown network":             fmt.Errorf("mail: %w", noNetwork),
		"nothing":                        nil,
		"any error":                      errors.New("no such customer"),
		"a deadline of the listener":     get(short, t, &http.Client{}, hang),
		"a deadline by itself":           fmt.Errorf("too slow: %w", context.DeadlineExceeded),
		"a call that was broken off":     get(gone, t, &http.Client{}, hang),
		"an unsupported URL":             get(t.Context(), t, &http.Client{}, "ftp://127.0.0.1/"),
		"a payload that is cut off":      json.NewDecoder(bytes.NewBufferString(`{"n":`)).Decode(new(any)),
		"the end of a payload":           fmt.Errorf("read the image: %w", io.EOF),
		"a file that is not there":       os.Chdir("/nowhere/at/all"),
		"a number that is not of a line": syscall.EINVAL,
	} {
		if isNetworkError(err) {
			t.Errorf("%s: %v (%T) is taken for an error of the network", name, err, err)
		}
	}
}
