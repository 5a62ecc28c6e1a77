package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox"
)

// Events as large as they may be, and many more of them than fit into memory.
const (
	largeEvents = 5000
	largeSize   = outbox.MaxPayload
	memoryMost  = 256 // MiB
)

func memoryBound() scenario {
	return scenario{
		name:     "memory",
		what:     "drain of 5,000 waiting events of 1 MiB by an untouched relay in a process of its own: the memory it had",
		variants: []variant{{nameDefault, drainLarge}},
		judge: func(r results) []row {
			return []row{
				noMore("memory, 5,000 waiting events of 1 MiB", r.figure(nameDefault, memory), memoryMost),
				alone("drain of events of 1 MiB", r.figure(nameDefault, rate)),
			}
		},
	}
}

// memoryReport is what the process had at most.
type memoryReport struct {
	Counts  []byte
	MiB     float64
	Seconds float64
	Log     string
}

// memoryWorker drains with a relay of the default configuration.
func memoryWorker(ctx context.Context, text json.RawMessage, boss *boss) (any, error) {
	var task relayTask
	if err := json.Unmarshal(text, &task); err != nil {
		return nil, err
	}
	store, closeStore, err := openPgx(ctx, task.URL, task.Schema)
	if err != nil {
		return nil, err
	}
	defer closeStore()
	if err := boss.ready(); err != nil {
		return nil, err
	}
	events, log := newLedger(task.Events), &logCount{}
	cfg := untouched()
	cfg.Logger = log.logger()
	took, err := drainStore(ctx, store, cfg, events)
	if err != nil {
		return nil, err
	}
	most, err := residentMost()
	return memoryReport{Counts: events.counts(), MiB: most, Seconds: took.Seconds(), Log: log.String()}, err
}

func drainLarge(ctx context.Context, e *env) (sample, error) {
	n := e.events(largeEvents)
	if err := e.freshLarge(ctx, n); err != nil {
		return sample{}, err
	}
	p, err := startProcess(ctx, "memory", relayTask{URL: e.url, Schema: defaultSchema, Events: n})
	if err != nil {
		return sample{}, err
	}
	defer p.kill()
	if err := p.tell(wordGo); err != nil {
		return sample{}, err
	}
	var report memoryReport
	if err := p.report(&report, nil); err != nil {
		return sample{}, err
	}
	events := newLedger(n)
	events.add(report.Counts)
	s := newSample(events, n)
	s.Values[memory], s.Values[rate], s.Note = report.MiB, float64(n)/report.Seconds, report.Log
	return s, e.exec(ctx, "TRUNCATE outbox_event")
}

// freshLarge fills the table. The database compresses the payloads, which
// spares its disk; on the way to the relay they have their full size.
func (e *env) freshLarge(ctx context.Context, n int) error {
	if err := e.fresh(ctx, 0); err != nil {
		return err
	}
	err := e.exec(ctx, fmt.Sprintf(`INSERT INTO outbox_event (event_type, aggregate_type, aggregate_id, payload)
		SELECT '%s', 'Order', 'order-' || g, (%s)::json FROM generate_series(0, %d) g`, eventType, payloadSQL(largeSize), n-1))
	if err != nil {
		return err
	}
	return e.rest(ctx, "outbox_event")
}

// residentMost is the most memory, in MiB, that this process ever had. What the
// parent could learn from the system's accounting would include its own.
func residentMost() (float64, error) {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("memory is measured on Linux only: %w", err)
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			kib, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(value, "kB")))
			return float64(kib) / 1024, err
		}
	}
	return 0, errors.New("the system does not tell the memory of a process")
}
