package httpsink

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/sinktest"
)

func TestSinkInBinaryMode(t *testing.T) {
	t.Parallel() // it is time that passes
	sinktest.Run(t, subject(Binary))
}

func TestSinkInStructuredMode(t *testing.T) {
	t.Parallel()
	sinktest.Run(t, subject(Structured))
}

// subject gives a sink that signs, behind a proxy, and a receiver that verifies.
func subject(mode Mode) sinktest.Open {
	return func(t testing.TB) sinktest.Subject {
		rc := newReceiver(t)
		rc.verify = true
		proxy := faultproxy.New(t, rc.host(t))
		base := "http://" + proxy.Addr()
		cfg := Config{URL: base, Mode: mode, Secrets: []string{secret}}
		hasty := cfg
		hasty.Timeout = 3 * time.Second
		return sinktest.Subject{
			Sink: open(t, cfg), Destination: base + "/hook", Faults: proxy, FoldsHeaderNames: true,
			SendTimeout: hasty.Timeout, Hasty: func(t testing.TB) outbox.Sink { return open(t, hasty) }, TooLarge: MaxBody + 1, Unroutable: strings.Replace(base, "//", "//us3r:p4ssword@", 1) + "/no-such-hook?token=4711",
			Reopen:  func(t testing.TB) outbox.Sink { return open(t, cfg) },
			Receive: rc.arrivals,
			Narrow: func(testing.TB) (string, int, func(int, time.Duration) []sinktest.Arrival) {
				const size = 1000
				rc.answers(func(w http.ResponseWriter, _ *http.Request, m outbox.Received) bool {
					if len(m.Payload) < size {
						return false
					}
					w.WriteHeader(http.StatusInternalServerError)
					return true
				})
				return base + "/hook", size, rc.arrivals
			},
		}
	}
}

func (rc *receiver) arrivals(n int, wait time.Duration) (as []sinktest.Arrival) {
	for _, m := range rc.received(n, wait) {
		as = append(as, sinktest.Arrival{Received: m})
	}
	return as
}
