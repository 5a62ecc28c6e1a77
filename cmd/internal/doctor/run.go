package doctor

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// Check looks at one thing.
type Check struct {
	Name    string
	Subject string // which one, of several checks of one name
	// Look answers. An error means that it could not look: [Run] turns a lack of
	// privileges into [Skipped], and any other error into [Failure].
	Look func(ctx context.Context) (Answer, error)
}

// grace is how long a check may take to return once its time is over.
const grace = 250 * time.Millisecond

// Run runs the checks in their order, width at a time, and returns their findings in the order
// of the checks. Each has limit to answer, from the moment when it starts: one
// that ignores the end of its context is left behind and reported, and the others
// go on.
func Run(ctx context.Context, checks []Check, limit time.Duration, width int) []Finding {
	findings := make([]Finding, len(checks))
	slots := make(chan struct{}, max(width, 1))
	var all sync.WaitGroup
	for i, c := range checks {
		slots <- struct{}{} // in the order of the checks
		all.Go(func() {
			defer func() { <-slots }()
			findings[i] = Finding{c.Name, c.Subject, look(ctx, c, limit)}
		})
	}
	all.Wait()
	return findings
}

// look runs one check.
func look(ctx context.Context, c Check, limit time.Duration) Answer {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type result struct {
		answer Answer
		err    error
	}
	done := make(chan result, 1) // room for an answer that comes too late
	go func() {
		a, err := c.Look(ctx)
		done <- result{a, err}
	}()
	var r result
	select {
	case r = <-done:
	case <-ctx.Done():
		late := time.NewTimer(grace)
		defer late.Stop()
		select {
		case r = <-done:
		case <-late.C:
			r.err = ctx.Err()
		}
	}
	switch {
	case r.err == nil:
		return line(r.answer)
	case errors.Is(ctx.Err(), context.Canceled):
		return Skip("interrupted")
	case ctx.Err() != nil:
		return Fail("see what holds it up (a lock, an overload, a network), or allow more with --timeout", "no answer within %s", limit)
	}
	return line(excuse(r.err))
}

// excuse is the answer of a check that could not look.
func excuse(err error) Answer {
	var p *dburl.Problem
	if errors.As(err, &p) && p.Kind == dburl.Refused {
		return Answer{Skipped, "the user may not see this: " + p.Err.Error(), "run doctor as a user who may, or grant this one the privilege"}
	}
	if p != nil {
		return Answer{Failure, p.Err.Error(), p.Advice}
	}
	return Fail("", "%v", err)
}

// line keeps an answer on one line each.
func line(a Answer) Answer {
	a.Seen = strings.Join(strings.Fields(a.Seen), " ")
	a.Do = strings.Join(strings.Fields(a.Do), " ")
	return a
}
