package relaytest_test

import (
	"context"
	"fmt"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/relay"
)

// large is a type whose events a child weighs: it says how many have come, how
// many bytes they had and how much memory it had at most.
const large = "large"

// asDefault are the defaults that a relay of large events depends on.
var asDefault = relay.LaneConfig{Workers: 4, ColdQueue: 1000}

type scales struct {
	mu          sync.Mutex
	events      int
	bytes, most uint64
}

func (s *scales) Handle(_ context.Context, e outbox.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events++
	s.bytes += uint64(len(e.Payload()))
	s.most = max(s.most, memoryInUse())
	if s.events%100 == 0 {
		say("weighed %d events of %d bytes with %d", s.events, s.bytes, s.most)
	}
	return nil
}

// memoryInUse is what the process has from the system. The system's own figure
// would include what the race detector needs, a multiple of it.
func memoryInUse() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// Scenario 75.
func TestARelayWithABacklogOf5000MebibytesStaysUnder256MiB(t *testing.T) {
	const rows, limit = 5000, 256 << 20
	drained := 1000 // four times the limit: then it would be over, if it kept them
	if testing.Short() {
		drained = 300
	}
	url := testenv.Database(t, testenv.Postgres15)
	h := openDatabase(t, url, dburl.Options{})
	// Repeated text is small on the server's disk, and has its size on the way.
	for _, fill := range []string{
		fmt.Sprintf(`INSERT INTO outbox_event (event_type, payload) VALUES ('%s', ('"' || repeat('x', %d) || '"')::json)`, large, outbox.MaxPayload-2),
		fmt.Sprintf(`INSERT INTO outbox_event (event_type, payload) SELECT event_type, payload FROM outbox_event, generate_series(2, %d)`, rows),
	} {
		if err := h.Exec(t.Context(), fill); err != nil {
			t.Fatal(err)
		}
	}
	c := startChild(t, url, time.Hour)
	c.await(t, 0, fmt.Sprintf("weighed %d events", drained))
	if code := c.end(t); code != 0 {
		t.Errorf("the child ended with %d", code)
	}
	var events int
	var bytes, most uint64
	lines, _ := c.lines()
	for _, line := range lines {
		if strings.HasPrefix(line, "weighed") {
			if _, err := fmt.Sscanf(line, "weighed %d events of %d bytes with %d", &events, &bytes, &most); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d events, %d MiB, with at most %d MiB of memory", events, bytes>>20, most>>20)
	if events < drained || bytes != uint64(events)*outbox.MaxPayload {
		t.Errorf("%d events of %d bytes came, expected %d at least, of %d each", events, bytes, drained, outbox.MaxPayload)
	}
	if most >= limit || most < 8<<20 {
		t.Errorf("the relay had %d MiB of memory; expected less than %d, and a plausible figure", most>>20, limit>>20)
	}
}
