package hazelcastsink

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// listener is a program in Java that listens to topics.
type listener struct {
	cmd   *exec.Cmd
	input io.WriteCloser
	ended chan struct{}

	mu       sync.Mutex
	topics   map[string][]arrival // by topic; nil for one that is not listened to
	listens  map[string]bool
	changed  chan struct{} // closed and replaced by every line
	failures string
}

// arrival is a message as Java has read it.
type arrival struct{ id, kind, text string }

const clusterName = "outbox"

// start starts a listener on the member that the tests are given.
func start(t testing.TB) *listener {
	t.Helper()
	u, err := url.Parse(testenv.URL(t, testenv.Hazelcast))
	if err != nil {
		t.Fatal(err)
	}
	lib := u.Query().Get("lib")
	if lib == "" {
		t.Fatal("the URL of the member does not name the directory of Hazelcast's jar in its parameter lib")
	}
	l := &listener{ended: make(chan struct{}), topics: map[string][]arrival{}, listens: map[string]bool{}, changed: make(chan struct{})}
	l.cmd = exec.Command("java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", lib+"/*", "testdata/Listener.java", clusterName, u.Host)
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

func (l *listener) read(output io.Reader) {
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

func (l *listener) take(fields []string) {
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
		l.topics[fields[1]] = append(l.topics[fields[1]], arrival{fields[2], fields[3], string(text)})
	default:
		l.failures += fmt.Sprintln(fields)
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *listener) stop() {
	_ = l.input.Close()
	<-l.ended
	_ = l.cmd.Wait()
}

// listen subscribes to a topic and returns when messages arrive.
func (l *listener) listen(t testing.TB, kind, topic string) {
	t.Helper()
	if _, err := fmt.Fprintln(l.input, kind, topic); err != nil {
		t.Fatal(err)
	}
	if !l.until(patience, func() bool { return l.listens[topic] }) {
		t.Fatalf("the program in Java does not listen to %s", topic)
	}
}

// receive returns all that has arrived, once there are n or wait is over.
func (l *listener) receive(t testing.TB, topic string, n int, wait time.Duration) []arrival {
	t.Helper()
	l.until(wait, func() bool { return len(l.topics[topic]) >= n })
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failures != "" {
		t.Fatalf("the program in Java says %s", l.failures)
	}
	return slices.Clone(l.topics[topic])
}

// until waits for something that f, which runs under the lock, looks for.
func (l *listener) until(wait time.Duration, f func() bool) bool {
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
