package httpsink

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

// odd is a server that answers every request with one text and then, over and
// over, with another, as no HTTP library would.
type odd struct {
	net.Listener
	first, again string
	written      atomic.Int64
	work         sync.WaitGroup
}

func newOdd(t *testing.T, first, again string) *odd {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &odd{Listener: l, first: first, again: again}
	ended := make(chan struct{})
	o.work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			o.work.Go(func() { o.serve(c, ended) })
		}
	})
	t.Cleanup(func() { close(ended); _ = l.Close(); o.work.Wait() })
	return o
}

// serve answers until the peer closes the connection or the test ends.
func (o *odd) serve(c net.Conn, ended chan struct{}) {
	gone := make(chan struct{})
	o.work.Go(func() {
		select {
		case <-ended:
		case <-gone:
		}
		_ = c.Close()
	})
	defer close(gone)
	in := bufio.NewReader(c)
	req, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	_ = req.Body.Close()
	text := o.first
	for err == nil {
		var n int
		n, err = c.Write([]byte(text))
		o.written.Add(int64(n))
		if o.again == "" {
			_, err = in.ReadByte() // silence, until the peer closes
		}
		text = o.again
	}
}

func (o *odd) url() string { return "http://" + o.Addr().String() + "/hook" }

// ends runs f and fails the test if it does not return in time.
func ends(t *testing.T, what string, f func()) bool {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
		return true
	case <-time.After(patience):
		t.Errorf("%s does not end", what)
		return false
	}
}

func TestNoOddAnswerHoldsASendACheckOrAClose(t *testing.T) {
	const timeout = patience / 4
	line := strings.Repeat("x", 4096)
	for name, c := range map[string]struct {
		first, again, want string
	}{
		"switching protocols":    {"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", "", "counted"},
		"switching, and talking": {"HTTP/1.1 101 Switching Protocols\r\n\r\n", "x", "counted"},
		"hints without end":      {"HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: " + line + "\r\n\r\n", "unavailable"},
		"status without end":     {"HTTP/1.1 200 ", line, "unavailable"},
		"headers without end":    {"HTTP/1.1 200 OK\r\n", "a: " + line + "\r\n", "unavailable"},
		"header without end":     {"HTTP/1.1 200 OK\r\na: ", line, "unavailable"},
		"body without end":       {"HTTP/1.1 200 OK\r\n\r\n", line, "delivered"},
		"body that never comes":  {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", "", "delivered"},
		"error that never comes": {"HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\n", "", "counted"},
		"trailer without end":    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "a: " + line + "\r\n", "delivered"},
		"chunk without end":      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", line, "delivered"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // some take their timeout
			o := newOdd(t, c.first, c.again)
			s, err := New(Config{URL: o.url(), Timeout: timeout})
			if err != nil {
				t.Fatal(err)
			}
			ends(t, "Send", func() {
				if err := s.Send(t.Context(), []outbox.Message{message("a")})[0]; meaning(err) != c.want {
					t.Errorf("it is %s (%v), want %s", meaning(err), err, c.want)
				}
			})
			ends(t, "Check", func() { _ = s.Check(t.Context()) })
			ends(t, "Close", func() { _ = s.Close() })
			if n := o.written.Load(); n > 16<<20 && !strings.HasPrefix(name, "body") {
				t.Errorf("%d bytes were read", n)
			}
		})
	}
}
