package hazelrig

import (
	"bufio"
	"context"
	_ "embed" // Listener.java
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// ClusterName is that of the members that tests are given.
const ClusterName = "outbox"

//go:embed Listener.java
var source []byte

// Listener is a program in Java that listens to topics.
type Listener struct {
	cmd   *exec.Cmd
	dir   string
	input io.WriteCloser
	ended chan struct{}

	mu       sync.Mutex
	topics   map[string][]Arrival
	listens  map[string]bool
	changed  chan struct{} // closed and replaced by every line
	failures string
}

// Arrival is a message as Java has read it.
type Arrival struct{ EventID, EventType, Text string }

// Address returns the host and port of the member that the test is given.
func Address(t testing.TB) string { t.Helper(); return member(t).Host }

func member(t testing.TB) *url.URL {
	t.Helper()
	u, err := url.Parse(testenv.URL(t, testenv.Hazelcast))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Start starts a listener on that member. It takes a second, and lasts until
// Stop.
func Start(t testing.TB) *Listener {
	t.Helper()
	u := member(t)
	lib := u.Query().Get("lib")
	if lib == "" {
		t.Fatal("the URL of the member does not name the directory of Hazelcast's jar in its parameter lib")
	}
	l := &Listener{ended: make(chan struct{}), topics: map[string][]Arrival{}, listens: map[string]bool{}, changed: make(chan struct{})}
	var err error
	if l.dir, err = os.MkdirTemp("", "outbox-listener-"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(l.dir, "Listener.java")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	l.cmd = exec.Command("java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", lib+"/*", file, ClusterName, u.Host)
	l.cmd.Stderr = os.Stderr
	if l.input, err = l.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, err := l.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go l.read(output)
	return l
}

func (l *Listener) read(output io.Reader) {
	defer close(l.ended)
	lines := bufio.NewReader(output)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		l.take(strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
}

func (l *Listener) take(fields []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case fields[0] == "listening":
		l.listens[fields[1]] = true
	case fields[0] == "message" && len(fields) == 5:
		text, err := base64.StdEncoding.DecodeString(fields[4])
		if err != nil {
			l.failures += err.Error()
		}
		l.topics[fields[1]] = append(l.topics[fields[1]], Arrival{fields[2], fields[3], string(text)})
	default:
		l.failures += fmt.Sprintln(fields)
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// Stop ends the program.
func (l *Listener) Stop() {
	_ = l.input.Close()
	<-l.ended
	_ = l.cmd.Wait()
	_ = os.RemoveAll(l.dir)
}

// Listen subscribes to a topic, which may be a reliable one, and returns when
// its messages arrive.
func (l *Listener) Listen(t testing.TB, topic string, reliable bool) {
	t.Helper()
	kind := "plain"
	if reliable {
		kind = "reliable"
	}
	if _, err := fmt.Fprintln(l.input, kind, topic); err != nil {
		t.Fatal(err)
	}
	if !l.until(await.Patience, func() bool { return l.listens[topic] }) {
		t.Fatalf("the program in Java does not listen to %s", topic)
	}
}

// Receive returns all that has arrived, once there are n or wait is over.
func (l *Listener) Receive(t testing.TB, topic string, n int, wait time.Duration) []Arrival {
	t.Helper()
	l.until(wait, func() bool { return len(l.topics[topic]) >= n })
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failures != "" {
		t.Fatalf("the program in Java says %s", l.failures)
	}
	return slices.Clone(l.topics[topic])
}

// Await returns once n messages have arrived at the topics together, or the context
// has ended.
func (l *Listener) Await(ctx context.Context, n int, topics ...string) {
	for {
		l.mu.Lock()
		arrived, changed := 0, l.changed
		for _, topic := range topics {
			arrived += len(l.topics[topic])
		}
		l.mu.Unlock()
		if arrived >= n {
			return
		}
		select {
		case <-changed:
		case <-l.ended:
			return
		case <-ctx.Done():
			return
		}
	}
}

// until waits for something that f, which runs under the lock, looks for.
func (l *Listener) until(wait time.Duration, f func() bool) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		l.mu.Lock()
		ok, changed := f(), l.changed
		l.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-l.ended:
			return false
		case <-timer.C:
			return false
		}
	}
}
