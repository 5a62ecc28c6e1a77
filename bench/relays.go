package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// severalRelays asks whether relays in separate processes share the work,
// compared with a single one in its own process.
func severalRelays() scenario {
	return scenario{
		name: "relays",
		what: "the same drain, rows kept, by 1, 2 and 4 relays as separate processes",
		variants: []variant{
			{relaysName(1), drainRelays(fleet{relays: 1, types: 1})},
			{relaysName(2), drainRelays(fleet{relays: 2, types: 1})},
			{relaysName(4), drainRelays(fleet{relays: 4, types: 1})},
		},
		judge: func(r results) []row {
			one := r.figure(relaysName(1), rate)
			var rows []row
			for _, n := range []int{2, 4} {
				name := relaysName(n)
				rows = append(rows,
					atLeast(fmt.Sprintf("%d relays together, against one", n), r.figure(name, rate), one, 0.85),
					noLess(fmt.Sprintf("%d relays, the smallest share", n), r.figure(name, share), 0.5))
			}
			return rows
		},
	}
}

func relaysName(n int) string {
	if n == 1 {
		return "1 relay"
	}
	return fmt.Sprintf("%d relays", n)
}

// relayTask is the task of a relay process.
type relayTask struct {
	URL    string
	Schema string
	Events int
	Types  int
	// Untouched is the default configuration; otherwise it is the tuned one.
	Untouched bool
}

// relayReport is what it did.
type relayReport struct {
	Counts []byte // how often it had each event
	Log    string
}

// relayWorker runs a relay and reports each settle, since only the boss knows
// when all is done.
func relayWorker(ctx context.Context, text json.RawMessage, boss *boss) (any, error) {
	var task relayTask
	if err := json.Unmarshal(text, &task); err != nil {
		return nil, err
	}
	store, closeStore, err := openPgx(ctx, task.URL, task.Schema)
	if err != nil {
		return nil, err
	}
	defer closeStore()
	events, log := newLedger(task.Events), &logCount{}
	reg := outbox.NewRegistry()
	for i := range task.Types {
		reg.Handle(typeOf(i, task.Types), counting(events))
	}
	cfg := tuned()
	if task.Untouched {
		cfg = untouched()
	}
	cfg.Logger = log.logger()
	cfg.Hooks.Settled = func(info observe.StatementInfo) {
		if info.Err == nil {
			_ = boss.say(workerMessage{Settled: info.Rows - info.Stale}) // without the boss this process ends
		}
	}
	r, err := relay.New(store, reg, cfg)
	if err != nil {
		return nil, err
	}
	if err := boss.ready(); err != nil {
		return nil, err
	}
	stop := background(ctx, r)
	err = boss.await(wordStop)
	stop()
	return relayReport{Counts: events.counts(), Log: log.String()}, err
}

// fleet is several relays, each in a process of its own.
type fleet struct {
	relays    int
	types     int // of the events that wait
	untouched bool
}

// drainRelays measures several relays from the start signal until any of them
// settles the last event.
func drainRelays(f fleet) runFunc {
	return func(ctx context.Context, e *env) (sample, error) {
		n := e.events(drainEvents)
		if err := e.freshOf(ctx, n, f.types); err != nil {
			return sample{}, err
		}
		ps := make([]*process, f.relays)
		for i := range ps {
			p, err := startProcess(ctx, "relay", relayTask{URL: e.url, Schema: defaultSchema, Events: n, Types: f.types, Untouched: f.untouched})
			if err != nil {
				return sample{}, err
			}
			defer p.kill()
			ps[i] = p
		}
		reports, took, err := race(ctx, ps, n)
		if err != nil {
			return sample{}, err
		}
		events, smallest := newLedger(n), n
		for i := range reports {
			smallest = min(smallest, events.add(reports[i].Counts))
		}
		s := drained(events, took, &logCount{})
		s.Values[share] = float64(smallest) * float64(f.relays) / float64(n)
		for _, r := range reports {
			s.Note = join(s.Note, r.Log)
		}
		return s, e.settled(ctx, defaultSchema)
	}
}

// race lets the processes go and stops them when n events are settled.
func race(ctx context.Context, ps []*process, n int) ([]relayReport, time.Duration, error) {
	line := newFinishLine(n)
	reports, errs := make([]relayReport, len(ps)), make([]error, len(ps))
	start := time.Now()
	for _, p := range ps {
		if err := p.tell(wordGo); err != nil {
			return nil, 0, err
		}
	}
	var listening sync.WaitGroup
	for i, p := range ps {
		listening.Go(func() { errs[i] = p.report(&reports[i], line.add) })
	}
	err := line.wait(ctx)
	for _, p := range ps {
		err = errors.Join(err, p.tell(wordStop))
	}
	listening.Wait()
	return reports, line.since(start), errors.Join(err, errors.Join(errs...))
}
