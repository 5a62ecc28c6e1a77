package faultproxy_test

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo is a server that answers with what it gets, and says how much that was.
func echo(t *testing.T) (addr string, got chan int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	got = make(chan int, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				buf := make([]byte, 1000)
				for {
					n, err := c.Read(buf)
					if err != nil {
						return
					}
					got <- n
					_, _ = c.Write(buf[:n])
				}
			}()
		}
	}()
	return l.Addr().String(), got
}

func dial(t *testing.T, p *faultproxy.Proxy) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// ask sends text and reads as much back, within a moment.
func ask(c net.Conn, text string, wait time.Duration) (string, error) {
	if _, err := c.Write([]byte(text)); err != nil {
		return "", err
	}
	return listen(c, len(text), wait)
}

func listen(c net.Conn, n int, wait time.Duration) (string, error) {
	_ = c.SetReadDeadline(time.Now().Add(wait))
	buf := make([]byte, n)
	n, err := io.ReadFull(c, buf)
	return string(buf[:n]), err
}

const (
	patience = 2 * time.Minute
	moment   = 50 * time.Millisecond
)

func TestAConnectionPasses(t *testing.T) {
	addr, _ := echo(t)
	p := faultproxy.New(t, addr)
	c := dial(t, p)
	if got, err := ask(c, "hello", patience); got != "hello" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if p.Accepted() != 1 {
		t.Errorf("%d connections, expected one", p.Accepted())
	}
}

func TestARefusedConnectionIsRefusedUntilItPasses(t *testing.T) {
	addr, _ := echo(t)
	p := faultproxy.New(t, addr)
	old := dial(t, p)
	if _, err := ask(old, "hello", patience); err != nil {
		t.Fatal(err)
	}
	p.Refuse()
	if _, err := listen(old, 1, patience); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection that existed was not cut: %v", err)
	}
	if _, err := net.Dial("tcp", p.Addr()); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial: %v, expected a refusal", err)
	}
	p.Pass()
	if got, err := ask(dial(t, p), "again", patience); got != "again" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAConnectionIsCutAfterSoManyBytes(t *testing.T) {
	addr, got := echo(t)
	p := faultproxy.New(t, addr)
	c := dial(t, p)
	if _, err := ask(c, "hello", patience); err != nil {
		t.Fatal(err)
	}
	<-got
	p.CutAfter(3)
	if _, err := ask(c, "hello", patience); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection was not cut: %v", err)
	}
	if n := <-got; n != 3 {
		t.Errorf("%d bytes passed, expected 3", n)
	}
	if got, err := ask(dial(t, p), "hello", patience); got != "hello" || err != nil {
		t.Errorf("a new connection: %q, %v", got, err)
	}
}

func TestWhatHangsArrivesLater(t *testing.T) {
	addr, got := echo(t)
	p := faultproxy.New(t, addr)
	old := dial(t, p)
	if _, err := ask(old, "hello", patience); err != nil {
		t.Fatal(err)
	}
	<-got
	p.Hang()
	for _, c := range []net.Conn{old, dial(t, p)} {
		if text, err := ask(c, "hello", moment); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %q, %v", text, err)
		}
	}
	if len(got) > 0 {
		t.Error("something reached the server")
	}
	p.Pass()
	if text, err := listen(old, 5, patience); text != "hello" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestAConnectionHangsAtAWord(t *testing.T) {
	addr, got := echo(t)
	p := faultproxy.New(t, addr)
	other, c := dial(t, p), dial(t, p)
	p.HangAt("COMMIT")
	for _, text := range []string{"read committed", "uncommit"} {
		if answer, err := ask(c, text, patience); answer != text || err != nil {
			t.Fatalf("got %q, %v, expected that %q passes", answer, err, text)
		}
		<-got
	}
	if _, err := c.Write([]byte("commit;")); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the word is held back", func() bool { return p.Held() == 7 })
	if _, err := c.Write([]byte("more")); err != nil {
		t.Fatal(err)
	}
	if answer, err := ask(other, "hello", patience); answer != "hello" || err != nil {
		t.Errorf("another connection got %q, %v", answer, err)
	}
	<-got
	if len(got) > 0 {
		t.Error("something reached the server")
	}
	p.Pass()
	if answer, err := listen(c, 11, patience); answer != "commit;more" || err != nil {
		t.Errorf("got %q, %v", answer, err)
	}
	if answer, err := ask(c, "commit", patience); answer != "commit" || err != nil {
		t.Errorf("once it passes, got %q, %v", answer, err)
	}
}

func TestAnswersHangAtAWordToo(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	p := faultproxy.New(t, l.Addr().String())
	c := dial(t, p)
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	p.HangAt("commit")
	if _, err := c.Write([]byte("COMMIT")); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the word is held back", func() bool { return p.Held() == 6 })
	if _, err := server.Write([]byte("notice")); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "what the server says is held back", func() bool { return p.Held() == 12 })
	p.Pass()
	if answer, err := listen(c, 6, patience); answer != "notice" || err != nil {
		t.Errorf("got %q, %v", answer, err)
	}
}

func TestAMutedServerHearsAndIsNotHeard(t *testing.T) {
	addr, got := echo(t)
	p := faultproxy.New(t, addr)
	p.Mute()
	c := dial(t, p)
	if text, err := ask(c, "hello", moment); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %q, %v", text, err)
	}
	if n := <-got; n != 5 {
		t.Errorf("%d bytes reached the server", n)
	}
	await.Until(t, "the answer is held back", func() bool { return p.Held() == 5 })
	p.Pass()
	if text, err := listen(c, 5, patience); text != "hello" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestNothingIsHeldBackOnceItHasPassed(t *testing.T) {
	addr, _ := echo(t)
	p := faultproxy.New(t, addr)
	if _, err := ask(dial(t, p), "hello", patience); err != nil {
		t.Fatal(err)
	}
	if n := p.Held(); n != 0 {
		t.Errorf("%d bytes are held back", n)
	}
}

func TestConnectionsAreCutOnce(t *testing.T) {
	addr, _ := echo(t)
	p := faultproxy.New(t, addr)
	c := dial(t, p)
	if _, err := ask(c, "hello", patience); err != nil {
		t.Fatal(err)
	}
	p.Cut()
	if _, err := listen(c, 1, patience); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection was not cut: %v", err)
	}
	if got, err := ask(dial(t, p), "hello", patience); got != "hello" || err != nil {
		t.Errorf("a new connection: %q, %v", got, err)
	}
}

func TestWhatWasHeldBackIsLostWithItsConnection(t *testing.T) {
	addr, got := echo(t)
	p := faultproxy.New(t, addr)
	for range 300 { // the answer must not slip through before the cut
		c := dial(t, p)
		p.Mute()
		if _, err := c.Write([]byte("hello")); err != nil {
			t.Fatal(err)
		}
		<-got
		p.Cut()
		if text, err := listen(c, 1, patience); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("got %q, error %v, expected that the connection is cut", text, err)
		}
	}
}
