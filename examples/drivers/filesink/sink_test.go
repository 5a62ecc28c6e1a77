package filesink_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/drivers/filesink"
	"github.com/sendoff-go/outbox/sinktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSinkKeepsTheLaws(t *testing.T) { sinktest.Run(t, open) }

// open gives a sink with a destination that nothing was sent to yet.
func open(t testing.TB) sinktest.Subject {
	dir := t.TempDir()
	reopen := func(t testing.TB) outbox.Sink { return newSink(t, dir) }
	return sinktest.Subject{
		Sink: reopen(t), Destination: "orders", Keyed: true,
		Receive: func(int, time.Duration) []sinktest.Arrival { return read(t, filepath.Join(dir, "orders.jsonl")) },
		// What the server refuses, and what it does not have.
		TooLarge: 4 << 20, Unroutable: "no/such/file",
		Reopen: reopen,
	}
}

func newSink(t testing.TB, dir string) *filesink.Sink {
	t.Helper()
	s, err := filesink.New(filesink.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read is everything in a file. What was acknowledged is there, so it waits for
// nothing.
func read(t testing.TB, path string) (as []sinktest.Arrival) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		m, key, err := filesink.Message(line)
		if err != nil {
			t.Fatal(err)
		}
		as = append(as, sinktest.Arrival{Received: m, Key: key})
	}
	return as
}

func message(text string) []outbox.Message {
	return []outbox.Message{{Destination: "orders", Event: outbox.Event{Type: "order", JSON: []byte(text)}}}
}

func TestADirectoryThatIsAwayIsUnavailableUntilItIsBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "disk")
	s := newSink(t, dir)
	if err := s.Send(t.Context(), message(`1`))[0]; !outbox.IsUnavailable(err) {
		t.Errorf("answer %v, expected it to be Unavailable", err)
	}
	if err := s.Check(t.Context()); !outbox.IsUnavailable(err) {
		t.Errorf("check %v, expected it to be Unavailable", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Check(t.Context()), s.Send(t.Context(), message(`1`))[0]); err != nil {
		t.Error(err)
	}
}

func TestWhatADeadProcessLeftHalfWrittenIsDropped(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "orders.jsonl")
	for _, left := range []string{`{"half`, `{"key":"","headers":null,"payload":"MQ=="}` + "\n" + `{"half`} {
		if err := os.WriteFile(path, []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := newSink(t, dir).Send(t.Context(), message(`2`))[0]; err != nil {
			t.Fatal(err)
		}
		as := read(t, path)
		if last := as[len(as)-1]; len(as) != bytes.Count([]byte(left), []byte("\n"))+1 || string(last.Payload) != "2" {
			t.Errorf("after %q the file has %+v", left, as)
		}
	}
}
