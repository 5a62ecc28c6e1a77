package sinktest

import (
	"context"
	"io"
	"maps"
	"runtime"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
)

func closeLaws() []Law {
	return []Law{
		{
			Name:  "a sink may be closed twice",
			Why:   "a shutdown closes what an error path has closed already",
			Check: check(closedTwice),
		},
		{
			Name:  "a Send after Close is unavailable and sends nothing",
			Why:   "a worker may be one batch behind the shutdown, and its events are not to blame",
			Check: check(sendAfterClose),
		},
		{
			Name:    "Close ends the sends that wait for a hanging server",
			Why:     "a process must be able to exit during an outage",
			Applies: hasFaults,
			Check:   check(closeDuringHang),
		},
		{
			Name:    "nothing keeps running after Close",
			Why:     "a program that opens and closes sinks would leak goroutines",
			Applies: func(s Subject) bool { return s.Reopen != nil },
			Check:   check(nothingLeft),
		},
	}
}

// close closes a sink, which must not take long.
func (k *kit) close(s outbox.Sink) {
	k.Helper()
	closed := make(chan error, 1)
	go func() { closed <- s.(io.Closer).Close() }()
	select {
	case err := <-closed:
		if err != nil {
			k.Errorf("Close: %v", err)
		}
	case <-time.After(patience):
		k.Fatalf("Close has not returned after %s", patience)
	}
}

func closedTwice(k *kit) {
	k.send(k.messages(event("order")))
	k.close(k.Sink)
	k.close(k.Sink)
}

func sendAfterClose(k *kit) {
	before := k.messages(event("order"))
	k.send(before)
	k.close(k.Sink)
	k.allUnavailable(k.within(brief, k.messages(events("order", 3)...)))
	if has(k.Subject, Check) && k.test(brief) == nil {
		k.Error("the check of a closed sink passed")
	}
	k.exactly(before)
}

func closeDuringHang(k *kit) {
	k.send(k.messages(event("order")))
	k.Faults.Hang()
	ms := k.messages(events("order", 3)...)
	ctx, cancel := context.WithTimeout(k.ctx, patience)
	defer cancel()
	answered := make(chan []error, 1)
	go func() { answered <- k.Sink.Send(ctx, ms) }()
	select { // in flight
	case errs := <-answered:
		k.Fatalf("answers %v while the server hung", errs)
	case <-time.After(quiet):
	}
	k.close(k.Sink)
	select {
	case errs := <-answered:
		if len(errs) != len(ms) {
			k.Fatalf("%d answers for %d messages", len(errs), len(ms))
		}
		k.allUnavailable(errs)
	case <-time.After(grace):
		k.Errorf("Send has not returned %s after Close", grace)
	}
	k.Faults.Pass()
}

func nothingLeft(k *kit) {
	k.send(k.messages(event("order")))
	k.close(k.Sink) // so that none of its goroutines is taken for one of the other sink
	before := goroutines()
	s := k.Reopen(k.TB)
	for _, err := range s.Send(k.ctx, k.messages(events("order", 10)...)) {
		if err != nil {
			k.Fatal(err)
		}
	}
	k.close(s)
	var left map[string]string
	defer func() {
		for _, stack := range left {
			k.Logf("still running: %s", stack)
		}
	}()
	k.until("the goroutines of the sink have ended", func() bool {
		left = goroutines()
		maps.DeleteFunc(left, func(id, _ string) bool { _, ok := before[id]; return ok })
		return len(left) == 0
	})
}

// goroutines returns the stacks of the running goroutines by id.
func goroutines() map[string]string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	all := map[string]string{}
	for stack := range strings.SplitSeq(string(buf), "\n\n") {
		id, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		all[id] = stack
	}
	return all
}
