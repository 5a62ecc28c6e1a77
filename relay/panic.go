package relay

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"

	"github.com/sendoff-go/outbox"
)

// panicError is a panic of a listener, a sink, an interceptor or a check.
type panicError struct {
	value any
	stack []string // where it happened, the innermost call first
}

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// history is the error as stored in the row: what happened, followed by where.
func (p *panicError) history() string {
	return p.Error() + "\n\n" + strings.Join(p.stack, "\n")
}

// panics logs panics of the user's code.
type panics struct {
	log    *slog.Logger
	spells *spells
}

// caught turns a panic into an error. It is deferred. Panics of a type in the
// same place have one log line a minute.
func (l *panics) caught(ctx context.Context, e *outbox.Event, err *error) {
	if p := recover(); p != nil {
		pe := newPanic(p)
		*err = pe
		if n, tell := l.spells.wrongFor(fmt.Sprint("panic ", e.Type, pe.stack[:min(len(pe.stack), 1)]), 0); tell {
			l.log.ErrorContext(ctx, "outbox: panic while handling an event", "event_id", e.ID, "event_type", e.Type, "panics", n, "panic", p, "stack", pe.stack)
		}
	}
}

// maxFrames bounds a stack: what a reader needs is at its top.
const maxFrames = 30

// newPanic is for a deferred function that has just recovered.
func newPanic(value any) *panicError { return &panicError{value, panicStack()} }

// panicStack returns the calls that led to a panic, and to an earlier one that a
// deferred function met or repeats, one per line, without those that raised it
// and those of this package. A runtime stack has two lines per call, which a log
// joins into one long line.
func panicStack() (stack []string) {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	raised, raising := false, false
	for f, more := frames.Next(); ; f, more = frames.Next() {
		switch {
		case f.Function == "runtime.gopanic":
			raised, raising = true, true
		case raising && strings.HasPrefix(f.Function, "runtime."): // raised it
		case raised && strings.HasPrefix(f.Function, ours):
			return stack
		case raised && len(stack) < maxFrames:
			stack, raising = append(stack, fmt.Sprintf("%s (%s:%d)", f.Function, f.File, f.Line)), false
		}
		if !more {
			return stack
		}
	}
}

// ours is the prefix of this package's functions.
const ours = "github.com/sendoff-go/outbox/relay."
