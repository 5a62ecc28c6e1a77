package hazelcastsink

import (
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/hazelrig"
)

// java is the listener that all tests share, except those with a member of
// their own: a program in Java takes seconds to start.
var java struct {
	sync.Mutex
	*hazelrig.Listener
}

func shared(t testing.TB) *hazelrig.Listener {
	t.Helper()
	java.Lock()
	defer java.Unlock()
	if java.Listener == nil {
		java.Listener = hazelrig.Start(t)
	}
	return java.Listener
}

type tests struct{ *testing.M }

// Run stops the listener before goleak looks.
func (m tests) Run() int {
	code := m.M.Run()
	if java.Listener != nil {
		java.Stop()
	}
	return code
}

// A client whose start was given up cannot be ended, and leaves one goroutine
// that does nothing. The suite finds those of a client that was connected.
func TestMain(m *testing.M) {
	hazelrig.Main(tests{m}, goleak.IgnoreAnyFunction("github.com/hazelcast/hazelcast-go-client.(*Client).schemaInvoker"))
}
