package core_test

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// The rows of a claim come in one array. An event that waits or runs for long must
// not keep the payloads of the others in memory, which count as gone.
func TestADeliveredPayloadIsNotKeptByTheRestOfItsClaim(t *testing.T) {
	r := newRig(t, false)
	rows := []driver.Claimed{row("slow", 1), row("fast", 2)}
	var payloads []weak.Pointer[[1 << 16]byte]
	var items []core.Item
	for i := range rows {
		payload := new([1 << 16]byte)
		payloads = append(payloads, weak.Make(payload))
		rows[i].Event.ID, rows[i].Event.Type, rows[i].Event.Bytes = rows[i].EventID, "A", payload[:]
		items = append(items, core.NewItem(&rows[i], r.dest, r.now))
	}
	r.claimed(items...)
	rows, items = nil, nil
	runs := r.runs("slow", "fast")
	r.finish(runs[1], delivered)
	r.now = r.now.Add(time.Second)
	b, _ := r.nextSettle(false)
	r.step(func(c *core.Core) { c.Outcomes.Settled(b, core.SettleAnswer{}) })
	slow := runs[0]
	r.fx, b, runs = core.Effects{}, nil, nil
	runtime.GC()
	if payloads[1].Value() != nil {
		t.Error("the payload of a delivered event is still in memory")
	}
	if payloads[0].Value() == nil {
		t.Error("the payload of a running event is not")
	}
	runtime.KeepAlive(slow)
	runtime.KeepAlive(r)
}
