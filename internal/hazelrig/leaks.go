package hazelrig

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"go.uber.org/goleak"
)

// Main runs the tests of a package, and fails if they leave goroutines behind other
// than those of the options and of a client that has locked itself up.
func Main(m goleak.TestingM, options ...goleak.Option) {
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(append(options, locked()...)...); err != nil {
			fmt.Fprintln(os.Stderr, "goleak:", err)
			code = 1
		}
	}
	os.Exit(code)
}

const client = "github.com/hazelcast/hazelcast-go-client/internal/"

// locked leaves out what a client may leave behind when it is ended while it loses
// connections: Service.Pause of v1.5.0 returns without unlocking if the service has
// stopped. Whoever pauses it next waits for that lock for ever; if a subscription
// does, so do the end of all subscriptions and those that come after it.
func locked() []goleak.Option {
	options := []goleak.Option{goleak.IgnoreAnyFunction(client + "invocation.(*Service).handleGroupLost")}
	if strings.Contains(stacks(), client+"invocation.(*Service).Pause(") {
		for _, function := range []string{"invocation.(*Service).Pause", "event.(*DispatchService).Stop.func1", "event.NewSubscription.func1"} {
			options = append(options, goleak.IgnoreAnyFunction(client+function))
		}
	}
	return options
}

// stacks are those of all goroutines.
func stacks() string {
	for size := 1 << 20; ; size *= 2 {
		text := make([]byte, size)
		if n := runtime.Stack(text, true); n < size {
			return string(text[:n])
		}
	}
}
